#include "inspect/report_tree.h"

#include "base/utf8.h"

struct span
report_id(const struct index *index, uint32_t node, struct arena *arena)
{
	struct span id = index->nodes[node].id;

	if (!utf8_valid(id))
		return SPAN(""); /* an entry that cannot be read */
	return (struct span){arena_cstr(arena, id), id.n};
}

static uint32_t *
count_children(const struct index *index)
{
	uint32_t *children = arena_array(index->arena, (size_t)index->n + 1,
	    sizeof(*children));

	for (uint32_t i = 0; i < index->n; i++)
		if (index->nodes[i].parent != NODE_NONE)
			children[index->nodes[i].parent]++;
	return children;
}

static bool
begins(const struct index *index, const uint32_t *children, uint32_t node)
{
	uint32_t parent = index->nodes[node].parent;

	return parent == NODE_NONE || children[parent] > 1;
}

static void
begin_stretch(struct report *report, const struct index *index,
    const uint32_t *of, uint32_t node)
{
	const struct index_node *at = &index->nodes[node];
	struct report_stretch *stretch =
	    &report->stretches[report->nstretches++];

	stretch->first_line = at->line;
	stretch->orphan = at->orphan;
	stretch->parent = REPORT_NONE;
	if (at->parent == NODE_NONE)
		return;
	stretch->parent = of[at->parent];
	report->stretches[stretch->parent].forks = true;
}

uint32_t *
report_tree(struct report *report, const struct index *index,
    struct arena *arena)
{
	uint32_t *of = arena_array(index->arena, (size_t)index->n + 1,
	    sizeof(*of));
	const uint32_t *children = count_children(index);
	uint32_t n = 0;

	for (uint32_t i = 0; i < index->n; i++)
		n += begins(index, children, i);
	report->stretches = arena_array(arena, (size_t)n + 1,
	    sizeof(*report->stretches));
	for (uint32_t i = 0; i < index->n; i++) {
		struct report_stretch *stretch;

		if (begins(index, children, i)) {
			begin_stretch(report, index, of, i);
			of[i] = report->nstretches - 1;
		} else {
			of[i] = of[index->nodes[i].parent];
		}
		stretch = &report->stretches[of[i]];
		stretch->entries++;
		stretch->last_line = index->nodes[i].line;
		if (children[i] != 1) /* the stretch ends here */
			stretch->last_id = report_id(index, i, arena);
	}
	report->last = index->n > 0 ? of[index->n - 1] : REPORT_NONE;
	return of;
}
