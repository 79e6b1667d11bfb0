#include "answer/origins.h"

#include "base/lines.h"
#include "diff/apply.h"
#include "diff/unified.h"

/* The line of which O, which a change has touched, is made, before OLD. */
static struct line_origin
compose_line(struct line_origin o, const struct line_origin *before)
{
	const struct line_origin *old = &before[o.line - 1];
	const struct line_origin *other =
	    o.also > 0 ? &before[o.also - 1] : NULL;

	o.line = old->line;
	o.own = o.own || old->own;
	o.cut = o.cut || old->cut;
	o.lost = o.lost || old->lost || (other != NULL && other->lost) ||
		 (other != NULL && other->also > 0) ||
		 (old->also > 0 && other != NULL);
	o.also = other != NULL ? other->line : old->also;
	if (o.line == 0) {
		o.line = o.also;
		o.also = 0;
	}
	return o;
}

/* Is a removal noted at one of the lines FROM to TO of LIST? */
static bool
has_cut(const struct line_origin *list, uint64_t from, uint64_t to)
{
	for (uint64_t k = from; k <= to; k++)
		if (list[k - 1].cut)
			return true;
	return false;
}

/* The lines of PLACE of one more change, of the text that SO_FAR is about. */
static void
compose_spots(struct origins *so_far, struct replaced_place place)
{
	for (uint32_t line = place.first; line <= place.last; line++) {
		struct line_origin o = {.line = line};

		if (so_far->list != NULL)
			o = so_far->list[line - 1];
		if (o.line == 0 && o.own && !o.lost)
			continue; /* what a change before it wrote */
		if (o.line == 0 || (o.own && o.lost) ||
		    so_far->nspots == SPOTS_MAX)
			so_far->lost = true;
		else
			so_far->spots[so_far->nspots++] = o.line;
	}
}

/* R is what one more change has made of the text that SO_FAR is about. */
static void
compose(struct arena *arena, struct origins *so_far, const struct replaced *r)
{
	struct line_origin *both;
	uint64_t last = 0,
		 next = 0; /* the last old line, and what is after it */

	if (so_far->list == NULL) {
		so_far->list = r->origins;
		so_far->n = r->lines;
		so_far->cut_end = r->cut_end;
		return;
	}
	both = arena_array(arena, r->lines, sizeof(*both));
	for (uint64_t i = 0; i < r->lines; i++) {
		uint64_t line = r->origins[i].line;

		both[i] = r->origins[i];
		if (line == 0)
			continue;
		both[i] = compose_line(r->origins[i], so_far->list);
		/* A removal stays one if the line after it is gone, too. */
		if (has_cut(so_far->list, last + 1, line - 1))
			both[next].cut = true;
		last = line;
		next = i + 1;
	}
	/* The last line is always made of an old one: none is after it. */
	so_far->cut_end = so_far->cut_end || r->cut_end ||
			  has_cut(so_far->list, last + 1, so_far->n);
	so_far->list = both;
	so_far->n = r->lines;
}

/* No change could be applied: N lines are as they were. */
static void
stay(struct arena *arena, struct origins *from, uint64_t n)
{
	from->n = n;
	from->list = arena_array(arena, n, sizeof(*from->list));
	for (uint64_t i = 0; i < n; i++)
		from->list[i].line = (uint32_t)(i + 1);
}

bool
origins_by_changes(struct arena *arena, struct budget *work,
    struct span old_text, const struct trust_view *const *changes, size_t n,
    struct span *made, struct origins *from)
{
	const struct replaced_place first = {1, 1};
	struct replaced r = {.text = old_text};

	*from = (struct origins){
	    .spots = arena_array(arena, SPOTS_MAX, sizeof(*from->spots)),
	    .unfit = arena_array(arena, n, sizeof(const void *))};
	for (size_t i = n; i > 0; i--) {
		const struct own_change *own = changes[i - 1]->own;
		struct span before = r.text;

		if (!budget_spend(
			work, replace_cost(before, own->list, own->n)))
			return false;
		if (!replace_apply(arena, before, own->list, own->n, &r)) {
			r.text = before;
			from->unfit[from->nunfit++] = own;
			continue;
		}
		for (size_t k = 0; k < own->n; k++)
			compose_spots(from, r.places[k]);
		if (r.ends)
			compose_spots(from, first);
		compose(arena, from, &r);
	}
	if (from->list == NULL)
		stay(arena, from, lines_count(old_text));
	*made = r.text;
	return true;
}

bool
origins_stand(struct arena *arena, const struct origins *own,
    const struct origins *others)
{
	bool *there = arena_array(arena, own->n, sizeof(*there));
	bool added = false; /* lines since LAST, which is still there */
	uint64_t last = 0;

	for (uint64_t i = 0; i < others->n; i++) {
		uint64_t line = others->list[i].line;

		if (line == 0) {
			added = true;
			continue;
		}
		there[line - 1] = true;
		if (added && has_cut(own->list, last + 1, line))
			return false;
		added = false;
		last = line;
	}
	if (added && (own->cut_end || has_cut(own->list, last + 1, own->n)))
		return false;
	for (uint64_t i = 0; i < own->n; i++)
		if (own->list[i].own && !there[i])
			return false;
	return true;
}

bool
origins_by_diff(struct arena *arena, struct span old_text, struct span new_text,
    struct origins *from)
{
	uint64_t n = lines_count(new_text), olds = lines_count(old_text);
	struct line_origin *origins = arena_array(arena, n, sizeof(*origins));
	uint64_t old_line = 1, line = 1;
	struct diff_rows rows;
	struct diff_row row;
	struct diff diff;

	if (!diff_match(arena, old_text, new_text, &diff))
		return false;
	rows = diff_rows(diff.hunks);
	while (diff_next_row(&rows, &row)) {
		for (; line < row.new_line; line++)
			origins[line - 1].line = (uint32_t)old_line++;
		old_line = row.old_line;
		if (row.sign == ' ')
			origins[line - 1].line = (uint32_t)old_line;
		old_line += row.sign != '+';
		line += row.sign != '-';
	}
	for (; line <= n && old_line <= olds; line++)
		origins[line - 1].line = (uint32_t)old_line++;
	*from = (struct origins){.list = origins, .n = n, .others = true};
	return true;
}
