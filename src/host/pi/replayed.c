#include "host/pi/replayed.h"

#include "host/pi/entry_events.h"
#include "json/json.h"

/*
 * Load the entry of NODE into the index's scratch.  False if it cannot be read.
 */
static bool
load(const struct index *index, uint32_t node, struct json_doc *doc,
    struct entry *entry)
{
	struct span line;

	arena_reset(index->scratch);
	line = index_line(index, node, index->scratch);
	if (!json_judge(index->scratch, line, doc))
		return false;
	/* In version 1 entries have no ids, and need none. */
	return entry_parse(doc, line, entry) || index->version < 2;
}

/* The targets of the context edits in a part of a path. */
static struct map *
edits_of(const struct index *index, const struct index_path *path,
    uint32_t from, uint32_t to, struct arena *arena)
{
	struct map *edits = map_new(arena, 4);
	struct json_doc doc;
	struct entry entry;

	for (uint32_t i = from; i < to; i++) {
		uint64_t edit = EDIT_OMITTED;

		if (index->nodes[path->nodes[i]].kind != NODE_CONTEXT_EDIT ||
		    !load(index, path->nodes[i], &doc, &entry) ||
		    entry.target.n == 0)
			continue;
		if (entry.replaced)
			edit = EDIT_REPLACED;
		*map_at(edits,
		    (struct span){arena_cstr(arena, entry.target),
			entry.target.n},
		    0) = edit;
	}
	return edits;
}

/* What the result of edits_of says about an entry. */
static enum edit
edit_of(const struct map *edits, struct span id)
{
	const uint64_t *found = map_find(edits, id);

	return found != NULL ? (enum edit)*found : EDIT_NONE;
}

static bool
matters(enum node_kind kind)
{
	return kind == NODE_ASSISTANT || kind == NODE_READ_RESULT ||
	    kind == NODE_EDIT_ERROR || kind == NODE_EDITED ||
	    kind == NODE_CUSTOM || kind == NODE_CONTEXT_EDIT;
}

struct events
replayed_events(const struct index *index, const struct index_path *path,
    const struct focus *focus, struct arena *arena)
{
	struct events events = events_new(arena, focus);
	const struct map *edits = edits_of(index, path, path->start,
	    path->n, arena);
	const struct event forget = {.kind = EVENT_FORGET};
	struct json_doc doc;
	struct entry entry;

	for (uint32_t i = path->start; i < path->n; i++) {
		const struct index_node *node = &index->nodes[path->nodes[i]];

		if (!matters(node->kind))
			continue;
		if (load(index, path->nodes[i], &doc, &entry))
			entry_add(&events, &doc, &entry,
			    edit_of(edits, node->id), path->nodes[i]);
		else
			events_append(&events, &forget); /* it has changed */
	}
	return events;
}
