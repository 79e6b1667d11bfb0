#include "work/workflow/turns.h"

struct turns {
	const struct graph *graph;
	const bool *skipped;
	size_t *places;	  /* of each node in the order */
	size_t *waits;	  /* how many parents it still waits for */
	size_t *children; /* of all nodes, one after the other */
	size_t *first;	  /* start of each node's children; and the end */
	size_t *heap;	  /* places of the nodes whose turn it is */
	size_t n;
};

/* ---- the heap: the smallest place first ---- */

static void
swap(size_t *a, size_t *b)
{
	size_t kept = *a;

	*a = *b;
	*b = kept;
}

static void
push(struct turns *t, size_t place)
{
	size_t at = t->n++;

	t->heap[at] = place;
	for (; at > 0 && t->heap[(at - 1) / 2] > t->heap[at]; at = (at - 1) / 2)
		swap(&t->heap[at], &t->heap[(at - 1) / 2]);
}

static size_t
pop(struct turns *t)
{
	size_t top = t->heap[0], at = 0, less;

	t->heap[0] = t->heap[--t->n];
	for (;; at = less) {
		less = 2 * at + 1;
		if (less >= t->n)
			return top;
		if (less + 1 < t->n && t->heap[less + 1] < t->heap[less])
			less++;
		if (t->heap[at] <= t->heap[less])
			return top;
		swap(&t->heap[at], &t->heap[less]);
	}
}

/* ---- the nodes ---- */

/* Turn the edges around. */
static void
find_children(struct turns *t)
{
	const struct graph *graph = t->graph;
	size_t *filled =
	    arena_array(graph->arena, graph->n + 1, sizeof(size_t));

	t->first = arena_array(graph->arena, graph->n + 1, sizeof(size_t));
	for (size_t i = 0; i < graph->n; i++)
		for (size_t k = 0; k < graph->parents[i].n; k++)
			t->first[graph->parents[i].at[k].from + 1]++;
	for (size_t i = 0; i < graph->n; i++)
		t->first[i + 1] += t->first[i];
	t->children =
	    arena_array(graph->arena, t->first[graph->n], sizeof(size_t));
	for (size_t i = 0; i < graph->n; i++)
		for (size_t k = 0; k < graph->parents[i].n; k++) {
			size_t from = graph->parents[i].at[k].from;

			t->children[t->first[from] + filled[from]++] = i;
		}
}

struct turns *
turns_of(const struct graph *graph, const bool *skipped)
{
	struct turns *t = arena_array(graph->arena, 1, sizeof(*t));

	t->graph = graph;
	t->skipped = skipped;
	t->places = arena_array(graph->arena, graph->n, sizeof(size_t));
	t->waits = arena_array(graph->arena, graph->n, sizeof(size_t));
	t->heap = arena_array(graph->arena, graph->n, sizeof(size_t));
	find_children(t);
	for (size_t place = 0; place < graph->n; place++) {
		size_t i = graph->order[place];

		t->places[i] = place;
		t->waits[i] = graph->parents[i].n;
		if (t->waits[i] == 0 && !skipped[i])
			push(t, place);
	}
	return t;
}

bool
turns_any(const struct turns *t)
{
	return t->n > 0;
}

bool
turns_take(struct turns *t, size_t *i)
{
	if (t->n == 0)
		return false;
	*i = t->graph->order[pop(t)];
	return true;
}

void
turns_put_back(struct turns *t, size_t i)
{
	push(t, t->places[i]);
}

void
turns_passed(struct turns *t, size_t i)
{
	for (size_t k = t->first[i]; k < t->first[i + 1]; k++) {
		size_t child = t->children[k];

		if (--t->waits[child] == 0 && !t->skipped[child])
			push(t, t->places[child]);
	}
}
