#include "wire/branch.h"

#include "base/map.h"
#include "wire/entry.h"
#include "wire/json.h"
#include "wire/session_file.h"

/* The entries of a session, in the order they came. */
struct shelf {
	struct span *values;
	size_t n, room;
	struct map *by_id; /* id -> index, or AMBIGUOUS */
	bool judged;       /* the values are known to be valid JSON */
};

#define AMBIGUOUS UINT64_MAX

/* A list of events that grows. */
struct events {
	struct arena *arena;
	struct event *list;
	size_t n, room;
};

static void
add_event(struct events *events, const struct event *event)
{
	if (events->n == events->room) {
		size_t room = events->room > 0 ? events->room * 2 : 64;
		struct event *list = arena_array(events->arena, room,
		    sizeof(*list));

		if (events->n > 0)
			memcpy(list, events->list, events->n * sizeof(*list));
		events->list = list;
		events->room = room;
	}
	events->list[events->n++] = *event;
}

static void
shelve(struct arena *arena, struct shelf *shelf, struct span value)
{
	struct entry_place place;
	uint64_t *index;

	if (!entry_place(arena, value, &place))
		return; /* not in the tree: nobody's parent, nobody's child */
	if (shelf->n == shelf->room) {
		size_t room = shelf->room > 0 ? shelf->room * 2 : 256;
		struct span *values = arena_array(arena, room,
		    sizeof(*values));

		if (shelf->n > 0)
			memcpy(values, shelf->values,
			    shelf->n * sizeof(*values));
		shelf->values = values;
		shelf->room = room;
	}
	index = map_at(shelf->by_id, place.id, shelf->n);
	if (*index != shelf->n)
		*index = AMBIGUOUS;
	shelf->values[shelf->n++] = value;
}

static bool
fill_shelf(struct arena *arena, const struct session *session,
    struct shelf *shelf)
{
	struct json_items items;
	struct span value;

	shelf->by_id = map_new(arena, 256);
	if (session->source == SESSION_ENTRIES) {
		shelf->judged = true;
		items = json_items(session->entries);
		while (json_next(&items, &value))
			shelve(arena, shelf, value);
		return true;
	}
	if (!session_file_load(arena, session->file, &value))
		return false;
	struct session_lines lines = session_lines(arena, value);
	while (session_next_line(&lines, &value))
		shelve(arena, shelf, value);
	return lines.has_header;
}

/* The leaf's id; false if the session does not tell. */
static bool
find_leaf(struct arena *arena, const struct session *session,
    const struct shelf *shelf, struct span *id)
{
	struct entry_place place;

	if (session->leaf == LEAF_ID) {
		*id = session->leaf_id;
		return map_find(shelf->by_id, *id) != NULL;
	}
	/* pi's own rule when it opens a file: the last entry it can read. */
	if (session->source != SESSION_FILE)
		return false;
	for (size_t i = shelf->n; i > 0; i--) {
		if (!json_valid(arena, shelf->values[i - 1]))
			continue;
		if (!entry_place(arena, shelf->values[i - 1], &place))
			return false;
		*id = place.id;
		return true;
	}
	return false;
}

/* The path from the boundary to the leaf, and what is edited on it. */
struct walk {
	struct span *values; /* leaf first */
	struct span *ids;
	size_t n;
	struct map *edited;
};

static enum branch_state
walk_up(struct arena *arena, const struct shelf *shelf, struct span id,
    struct walk *walk)
{
	struct entry_place place;
	struct entry entry;

	walk->values = arena_array(arena, shelf->n, sizeof(*walk->values));
	walk->ids = arena_array(arena, shelf->n, sizeof(*walk->ids));
	walk->edited = map_new(arena, 16);
	while (id.n > 0) {
		const uint64_t *index = map_find(shelf->by_id, id);
		struct span value;

		if (index == NULL || *index == AMBIGUOUS)
			return walk->n > 0 ? BRANCH_OK : BRANCH_NO_LEAF;
		if (walk->n == shelf->n)
			return BRANCH_CYCLE;
		value = shelf->values[*index];
		if (!shelf->judged && !json_valid(arena, value))
			return walk->n > 0 ? BRANCH_OK : BRANCH_NO_LEAF;
		entry = entry_parse(arena, value);
		if (entry.kind == ENTRY_COMPACTION)
			break;
		if (entry.kind == ENTRY_CONTEXT_EDIT)
			*map_at(walk->edited, entry.target, 1) = 1;
		walk->ids[walk->n] = id;
		walk->values[walk->n++] = value;
		(void)entry_place(arena, value, &place); /* it has an id */
		id = place.parent;
	}
	return BRANCH_OK;
}

/* What the assistant last asked for, while its results come in. */
struct call {
	struct span content;
	bool edited;
};

static void
read_result_event(struct events *events, const struct entry *entry,
    const struct call *call, bool edited)
{
	struct event event;

	if (entry_read_event(events->arena, entry, &event)) {
		if (edited || call->edited)
			event.kind = EVENT_SIGHTING; /* T4 */
		add_event(events, &event);
		return;
	}
	event = (struct event){.kind = EVENT_BLIND};
	if (entry_called_path(events->arena, call->content, entry->call_id,
		&event.name))
		add_event(events, &event); /* T12 */
}

/* From the boundary to the leaf, entries become events. */
static void
walk_down(struct events *events, const struct walk *walk)
{
	struct call call = {.content = SPAN("")};
	struct event event;

	for (size_t i = walk->n; i > 0; i--) {
		struct entry entry = entry_parse(events->arena,
		    walk->values[i - 1]);
		bool edited = map_find(walk->edited, walk->ids[i - 1]) != NULL;

		switch (entry.kind) {
		case ENTRY_ASSISTANT:
			call = (struct call){entry.content, edited};
			break;
		case ENTRY_READ_RESULT:
			read_result_event(events, &entry, &call, edited);
			break;
		case ENTRY_CUSTOM:
			if (invalidation_parse(events->arena, entry.data,
				&event))
				add_event(events, &event);
			break;
		case ENTRY_CONTEXT_EDIT:
			event = (struct event){.kind = EVENT_FORGET};
			if (entry.target.n == 0)
				add_event(events, &event); /* T4 */
			break;
		case ENTRY_COMPACTION:
		case ENTRY_OTHER:
			break;
		}
	}
}

static void
overlay_events(struct events *events, struct span overlay)
{
	struct json_items items = json_items(overlay);
	struct event event;
	struct meta meta;
	struct span value;

	while (json_next(&items, &value)) {
		if (meta_parse(events->arena, value, &meta))
			add_event(events, &meta.read);
		else if (invalidation_parse(events->arena, value, &event))
			add_event(events, &event);
	}
}

struct branch
branch_load(struct arena *arena, const struct session *session)
{
	struct events events = {.arena = arena};
	struct shelf shelf = {0};
	struct walk walk = {0};
	struct branch branch = {.state = BRANCH_OK};
	struct span leaf;

	if (session->source == SESSION_NONE) {
		branch.state = BRANCH_NO_SESSION;
		return branch;
	}
	if (session->leaf != LEAF_EMPTY) {
		if (!fill_shelf(arena, session, &shelf))
			branch.state = BRANCH_NO_FILE;
		else if (!find_leaf(arena, session, &shelf, &leaf))
			branch.state = BRANCH_NO_LEAF;
		else
			branch.state = walk_up(arena, &shelf, leaf, &walk);
	}
	if (branch.state != BRANCH_OK)
		return branch;
	walk_down(&events, &walk);
	overlay_events(&events, session->overlay);
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
