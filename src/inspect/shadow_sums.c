/*
 * Sums over the reads of each file.
 */
#include <stdlib.h>

#include "inspect/shadow_inside.h"

static struct shadow_sum *
sum_of(struct shadow_walk *w, struct span name)
{
	uint64_t *found = map_at(w->by_name, name, 0);
	struct summed *summed = (struct summed *)(uintptr_t)*found;

	if (summed == NULL) {
		summed = arena_array(w->arena, 1, sizeof(*summed));
		summed->sum.name = name;
		summed->next = w->sums;
		w->sums = summed;
		w->shadow->nfiles++;
		*found = (uintptr_t)summed;
	}
	return &summed->sum;
}

static void
add(struct shadow_sum *sum, const struct shadow_read *read)
{
	sum->reads++;
	sum->modes[read->mode]++;
	sum->baseline_bytes += read->baseline_bytes;
	sum->served_bytes += read->served_bytes;
}

void
shadow_count(struct shadow_walk *w, const struct shadow_read *read)
{
	add(&w->shadow->all, read);
	if (read->name.n > 0)
		add(sum_of(w, read->name), read);
	if (w->each != NULL)
		w->each(w->context, read);
}

static int
compare_saved(const void *left, const void *right)
{
	const struct shadow_sum *a = left, *b = right;
	int64_t saved_a = (int64_t)(a->baseline_bytes - a->served_bytes);
	int64_t saved_b = (int64_t)(b->baseline_bytes - b->served_bytes);
	int order = (saved_a < saved_b) - (saved_a > saved_b);

	if (order == 0)
		order = (a->baseline_bytes < b->baseline_bytes) -
			(a->baseline_bytes > b->baseline_bytes);
	if (order == 0)
		order = span_compare(a->name, b->name);
	return order;
}

void
shadow_sort(struct shadow_sum *sums, size_t n)
{
	qsort(sums, n, sizeof(*sums), compare_saved);
}

void
shadow_list(struct shadow_walk *w)
{
	struct shadow *shadow = w->shadow;
	size_t n = 0;

	shadow->files =
	    arena_array(w->arena, shadow->nfiles + 1, sizeof(*shadow->files));
	for (const struct summed *s = w->sums; s != NULL; s = s->next)
		shadow->files[n++] = s->sum;
	shadow_sort(shadow->files, n);
}
