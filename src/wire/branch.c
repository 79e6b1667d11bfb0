#include "wire/branch.h"

#include "base/map.h"
#include "wire/entry.h"
#include "wire/events.h"
#include "wire/json.h"
#include "wire/trail.h"

/* The entries of a session, in the order they came. */
struct shelf {
	struct entry *all;
	size_t n, room;
	struct map *by_id; /* id -> index, or AMBIGUOUS */
};

#define AMBIGUOUS UINT64_MAX

static void
shelve(const struct json_doc *doc, struct shelf *shelf, struct span value)
{
	struct arena *arena = doc->arena;
	struct entry one;
	uint64_t *index;

	if (!entry_parse(doc, value, &one))
		return; /* not in the tree: nobody's parent, nobody's child */
	if (shelf->n == shelf->room) {
		size_t room = shelf->room > 0 ? shelf->room * 2 : 64;
		struct entry *all = arena_alloc(arena, room * sizeof(*all));

		if (shelf->n > 0)
			memcpy(all, shelf->all, shelf->n * sizeof(*all));
		shelf->all = all;
		shelf->room = room;
	}
	index = map_at(shelf->by_id, one.id, shelf->n);
	if (*index != shelf->n)
		*index = AMBIGUOUS;
	shelf->all[shelf->n++] = one;
}

static void
fill_shelf(const struct session *session, struct shelf *shelf)
{
	struct json_items items = json_items(session->doc, session->entries);
	struct span value;

	shelf->by_id = map_new(session->doc->arena, 64);
	while (json_next(&items, &value))
		shelve(session->doc, shelf, value);
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
		const struct entry *one;

		if (index == NULL || *index == AMBIGUOUS)
			return walk->n > 0 ? BRANCH_OK : BRANCH_NO_LEAF;
		if (walk->n == shelf->n)
			return BRANCH_CYCLE;
		one = &shelf->all[*index];
		if (one->kind == ENTRY_COMPACTION)
			break;
		if (one->kind == ENTRY_CONTEXT_EDIT)
			(void)map_at(walk->edited, one->target,
			    one->replaced ? EDIT_REPLACED : EDIT_OMITTED);
		walk->path[walk->n++] = one;
		id = one->parent;
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

/* The branch among the request's own entries. */
static enum branch_state
load_entries(struct arena *arena, const struct session *session,
    struct events *events)
{
	struct shelf shelf = {0};
	struct walk walk = {0};
	enum branch_state state;

	if (session->leaf != LEAF_ID || session->leaf_id.n == 0)
		return BRANCH_NO_LEAF;
	fill_shelf(session, &shelf);
	state = walk_up(arena, &shelf, session->leaf_id, &walk);
	if (state == BRANCH_OK)
		walk_down(events, session->doc, &walk);
	return state;
}

static enum branch_state
load_file(struct arena *arena, const struct session *session,
    struct events *events)
{
	struct session_file file;
	struct trail *trail;
	enum branch_state state;

	if (!session_file_open(arena, session->file, &file))
		return BRANCH_NO_FILE;
	state = trail_find(arena, &file, session, events->focus, &trail);
	if (state == BRANCH_OK && !trail_events(trail, events))
		return BRANCH_NO_FILE;
	return state;
}

struct branch
branch_load(struct arena *arena, const struct session *session,
    const struct focus *focus)
{
	struct focus wanted = {
	    .path = SPAN(""), .name = SPAN(""), .bytes = SPAN("")};
	struct events events = events_new(arena, &wanted);
	struct branch branch = {.state = BRANCH_OK};

	if (focus != NULL)
		wanted = *focus;
	else
		wanted.hash = digest_of(wanted.bytes);
	wanted.texts_left_out = session->source == SESSION_ENTRIES;
	if (session->source == SESSION_NONE)
		branch.state = BRANCH_NO_SESSION;
	else if (session->leaf == LEAF_EMPTY)
		branch.state = BRANCH_OK;
	else if (session->source == SESSION_FILE)
		branch.state = load_file(arena, session, &events);
	else
		branch.state = load_entries(arena, session, &events);
	if (branch.state != BRANCH_OK)
		return branch;
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
