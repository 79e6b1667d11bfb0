#include "session/lineage.h"

/* The entries of a session, in the order in which they came. */
struct shelf {
	struct entry *all;
	size_t n, room;
	struct map *by_id; /* id -> index, or AMBIGUOUS */
};

#define AMBIGUOUS UINT64_MAX

static void
shelve(const struct json_doc *doc, struct shelf *shelf, entry_parser *parse,
    struct span value)
{
	struct arena *arena = doc->arena;
	struct entry one;
	uint64_t *index;

	if (!parse(doc, value, &one))
		return; /* not in the tree: neither a parent nor a child */
	shelf->all = arena_more(arena, shelf->all, shelf->n, &shelf->room,
	    sizeof(*shelf->all));
	index = map_at(shelf->by_id, one.id, shelf->n);
	if (*index != shelf->n)
		*index = AMBIGUOUS;
	shelf->all[shelf->n++] = one;
}

static void
fill_shelf(const struct session *session, entry_parser *parse,
    struct shelf *shelf)
{
	struct json_items items = json_items(session->doc, session->entries);
	struct span value;

	shelf->by_id = map_new(session->doc->arena, 64);
	while (json_next(&items, &value))
		shelve(session->doc, shelf, parse, value);
}

static enum branch_state
walk_up(struct arena *arena, const struct shelf *shelf, struct span id,
    struct lineage *lineage)
{
	lineage->path = arena_array(arena, shelf->n, sizeof(*lineage->path));
	lineage->edited = map_new(arena, 4);
	while (id.n > 0) {
		const uint64_t *index = map_find(shelf->by_id, id);
		const struct entry *one;

		if (index == NULL || *index == AMBIGUOUS)
			return lineage->n > 0 ? BRANCH_OK : BRANCH_NO_LEAF;
		if (lineage->n == shelf->n)
			return BRANCH_CYCLE;
		one = &shelf->all[*index];
		if (one->kind == ENTRY_BOUNDARY)
			break;
		if (one->kind == ENTRY_CONTEXT_EDIT)
			(void)map_at(lineage->edited, one->target,
			    one->replaced ? EDIT_REPLACED : EDIT_OMITTED);
		lineage->path[lineage->n++] = one;
		id = one->parent;
	}
	return BRANCH_OK;
}

enum branch_state
lineage_find(struct arena *arena, const struct session *session,
    entry_parser *parse, struct lineage *lineage)
{
	struct shelf shelf = {0};

	*lineage = (struct lineage){0};
	if (session->leaf != LEAF_ID || session->leaf_id.n == 0)
		return BRANCH_NO_LEAF;
	fill_shelf(session, parse, &shelf);
	return walk_up(arena, &shelf, session->leaf_id, lineage);
}

enum edit
lineage_edit(const struct lineage *lineage, const struct entry *entry)
{
	const uint64_t *found = map_find(lineage->edited, entry->id);

	return found != NULL ? (enum edit)*found : EDIT_NONE;
}
