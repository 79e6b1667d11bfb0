#include "wire/branch.h"

#include "base/map.h"
#include "wire/entry.h"
#include "wire/events.h"
#include "wire/json.h"
#include "wire/session_file.h"

/* An entry, and the text it was found in. */
struct shelved {
	struct entry entry;
	struct span value;
};

/* The entries of a session, in the order they came. */
struct shelf {
	struct shelved *all;
	size_t n, room;
	struct map *by_id; /* id -> index, or AMBIGUOUS */
	bool judged;       /* the values are known to be valid JSON */
	struct span bytes; /* of the session file */
};

#define AMBIGUOUS UINT64_MAX

static void
shelve(const struct json_doc *doc, struct shelf *shelf, struct span value)
{
	struct arena *arena = doc->arena;
	struct shelved one = {.value = value};
	uint64_t *index;

	if (!entry_parse(doc, value, &one.entry))
		return; /* not in the tree: nobody's parent, nobody's child */
	if (shelf->n == shelf->room) {
		size_t room = shelf->room > 0 ? shelf->room * 2 : 64;
		struct shelved *all = arena_alloc(arena, room * sizeof(*all));

		if (shelf->n > 0)
			memcpy(all, shelf->all, shelf->n * sizeof(*all));
		shelf->all = all;
		shelf->room = room;
	}
	index = map_at(shelf->by_id, one.entry.id, shelf->n);
	if (*index != shelf->n)
		*index = AMBIGUOUS;
	shelf->all[shelf->n++] = one;
}

/* Fill SHELF; DOC is set to what its entries are looked into with. */
static bool
fill_shelf(struct arena *arena, const struct session *session,
    struct shelf *shelf, struct json_doc *doc)
{
	struct session_lines lines;
	struct json_items items;
	struct span value;

	shelf->by_id = map_new(arena, 64);
	if (session->source == SESSION_ENTRIES) {
		shelf->judged = true;
		*doc = *session->doc;
		items = json_items(doc, session->entries);
		while (json_next(&items, &value))
			shelve(doc, shelf, value);
		return true;
	}
	*doc = json_doc(arena);
	if (!session_file_load(arena, session->file, &shelf->bytes))
		return false;
	lines = session_lines(arena, shelf->bytes);
	while (session_next_line(&lines, &value))
		shelve(doc, shelf, value);
	return lines.has_header;
}

/* The leaf's id; false if the session does not tell. */
static bool
find_leaf(struct arena *arena, const struct session *session,
    const struct shelf *shelf, struct span *id)
{
	struct json_doc doc = json_doc(arena);
	struct entry entry;
	struct span line;

	if (session->leaf == LEAF_ID) {
		*id = session->leaf_id;
		return map_find(shelf->by_id, *id) != NULL;
	}
	/* pi's own rule when it opens a file: the last line it can read. */
	if (session->source != SESSION_FILE ||
	    !session_last_line(arena, shelf->bytes, &line) ||
	    !entry_parse(&doc, line, &entry))
		return false;
	*id = entry.id;
	return true;
}

/* The path from the boundary to the leaf, and what is edited on it. */
struct walk {
	const struct entry **path; /* leaf first */
	size_t n;
	struct map *edited; /* id -> enum edit */
};

static enum branch_state
walk_up(struct arena *arena, const struct shelf *shelf, struct span id,
    struct walk *walk)
{
	walk->path = arena_array(arena, shelf->n, sizeof(*walk->path));
	walk->edited = map_new(arena, 4);
	while (id.n > 0) {
		const uint64_t *index = map_find(shelf->by_id, id);
		const struct shelved *one;

		if (index == NULL || *index == AMBIGUOUS)
			return walk->n > 0 ? BRANCH_OK : BRANCH_NO_LEAF;
		if (walk->n == shelf->n)
			return BRANCH_CYCLE;
		one = &shelf->all[*index];
		if (!shelf->judged && !json_valid(arena, one->value))
			return walk->n > 0 ? BRANCH_OK : BRANCH_NO_LEAF;
		if (one->entry.kind == ENTRY_COMPACTION)
			break;
		if (one->entry.kind == ENTRY_CONTEXT_EDIT)
			(void)map_at(walk->edited, one->entry.target,
			    one->entry.replaced ? EDIT_REPLACED : EDIT_OMITTED);
		walk->path[walk->n++] = &one->entry;
		id = one->entry.parent;
	}
	return BRANCH_OK;
}

/* From the boundary to the leaf, entries become events. */
static void
walk_down(struct events *events, const struct json_doc *doc,
    const struct walk *walk)
{
	for (size_t i = walk->n; i > 0; i--) {
		const struct entry *entry = walk->path[i - 1];
		const uint64_t *found = map_find(walk->edited, entry->id);

		events_add(events, doc, entry,
		    found != NULL ? (enum edit)*found : EDIT_NONE, 0);
	}
}

static void
overlay_events(struct events *events, const struct json_doc *doc,
    struct span overlay)
{
	struct json_items items = json_items(doc, overlay);
	struct event event;
	struct meta meta;
	struct span value;

	while (json_next(&items, &value)) {
		event = (struct event){.kind = EVENT_FORGET};
		if (meta_parse(events->arena, value, &meta))
			event = meta.read;
		else
			(void)invalidation_parse(events->arena, value, &event);
		events_append(events, &event); /* not understood: void all */
	}
}

struct branch
branch_load(struct arena *arena, const struct session *session,
    const struct focus *focus)
{
	struct focus wanted = {
	    .path = SPAN(""), .name = SPAN(""), .bytes = SPAN("")};
	struct events events = events_new(arena, &wanted);
	struct json_doc doc = json_doc(arena);
	struct shelf shelf = {0};
	struct walk walk = {0};
	struct branch branch = {.state = BRANCH_OK};
	struct span leaf;

	if (focus != NULL)
		wanted = *focus;
	else
		wanted.hash = digest_of(wanted.bytes);
	wanted.texts_left_out = session->source == SESSION_ENTRIES;
	if (session->source == SESSION_NONE) {
		branch.state = BRANCH_NO_SESSION;
		return branch;
	}
	if (session->leaf != LEAF_EMPTY) {
		if (!fill_shelf(arena, session, &shelf, &doc))
			branch.state = BRANCH_NO_FILE;
		else if (!find_leaf(arena, session, &shelf, &leaf))
			branch.state = BRANCH_NO_LEAF;
		else
			branch.state = walk_up(arena, &shelf, leaf, &walk);
	}
	if (branch.state != BRANCH_OK)
		return branch;
	walk_down(&events, &doc, &walk);
	overlay_events(&events, session->doc, session->overlay);
	branch.events = events.list;
	branch.n = events.n;
	return branch;
}

const char *
branch_state_name(enum branch_state state)
{
	switch (state) {
	case BRANCH_OK:
		return "ok";
	case BRANCH_NO_SESSION:
		return "none";
	case BRANCH_NO_FILE:
		return "no_file";
	case BRANCH_NO_LEAF:
		return "no_leaf";
	case BRANCH_CYCLE:
		break;
	}
	return "cycle";
}
