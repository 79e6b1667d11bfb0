#include "wire/branch.h"

#include "base/map.h"
#include "wire/entry.h"
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

/* A list of events that grows. */
struct events {
	struct arena *arena;
	const struct json_doc *doc; /* of the entries */
	struct asking *asking;      /* see below */
	const struct focus *focus;
	struct event *list;
	size_t n, room;
};

static void
add_event(struct events *events, const struct event *event)
{
	if (events->n == events->room) {
		size_t room = events->room > 0 ? events->room * 2 : 16;
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

/* What became of an entry; of several edits the latest counts. */
enum edit { EDIT_NONE, EDIT_OMITTED, EDIT_REPLACED };

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

/*
 * The assistant's messages so far, newest first: a result is found there by
 * the id of its call.  In a session of pi it is the first one looked at.
 */
struct asking {
	struct asking *before;
	struct span content;
	bool gone; /* edited, or never sent again: so are its results (T4) */
};

enum { ASKING_MAX = 64 }; /* how far back a call is looked for */

/*
 * Who asked for the result MESSAGE, and for which PATH; NULL if nobody did.
 * One that may stand too far back to be looked for counts as gone.
 */
static const struct asking *
find_asking(const struct events *events, const struct message *message,
    struct span *path)
{
	static const struct asking too_far = {.gone = true};
	const struct asking *asking = events->asking;

	for (int i = 0; i < ASKING_MAX && asking != NULL; i++) {
		if (message_called(events->doc, asking->content,
			message->call_id, path))
			return asking;
		asking = asking->before;
	}
	return asking != NULL ? &too_far : NULL;
}

static void
add_read_result(struct events *events, struct message *message,
    enum edit edit)
{
	const struct asking *asking = find_asking(events, message,
	    &message->asked);
	struct event event;

	switch (message_read_event(events->doc, message, events->focus,
	    &event)) {
	case MESSAGE_READ_EVENT:
		if (asking != NULL && event.nameless)
			event.asked = message->asked;
		if (edit != EDIT_NONE || (asking != NULL && asking->gone))
			event.kind = EVENT_SIGHTING; /* T4 */
		if (edit == EDIT_REPLACED)
			event.veiled = true;
		add_event(events, &event);
		break;
	case MESSAGE_READ_UNKNOWN:
		if (asking == NULL)
			break;
		event = (struct event){
		    .kind = EVENT_BLIND, .name = message->asked};
		if (message->asked.n == 0)
			event.kind = EVENT_FORGET;
		add_event(events, &event); /* T12 */
		break;
	case MESSAGE_READ_ELSEWHERE:
		break;
	}
}

static void
add_message(struct events *events, struct span value, enum edit edit)
{
	struct message message = message_parse(events->doc, value);
	struct asking *asking;

	switch (message.kind) {
	case MESSAGE_ASSISTANT:
		asking = arena_alloc(events->arena, sizeof(*asking));
		*asking = (struct asking){events->asking, message.content,
		    edit != EDIT_NONE || message.dropped};
		events->asking = asking;
		break;
	case MESSAGE_READ_RESULT:
		add_read_result(events, &message, edit);
		break;
	case MESSAGE_OTHER:
		break;
	}
}

/* From the boundary to the leaf, entries become events. */
static void
walk_down(struct events *events, const struct walk *walk)
{
	struct event event;

	for (size_t i = walk->n; i > 0; i--) {
		const struct entry *entry = walk->path[i - 1];
		const uint64_t *found = map_find(walk->edited, entry->id);
		enum edit edit = found != NULL ? (enum edit)*found : EDIT_NONE;

		switch (entry->kind) {
		case ENTRY_MESSAGE:
			add_message(events, entry->message, edit);
			break;
		case ENTRY_CUSTOM:
			if (invalidation_parse(events->arena, entry->data,
				&event))
				add_event(events, &event);
			break;
		case ENTRY_CONTEXT_EDIT:
			event = (struct event){.kind = EVENT_FORGET};
			if (entry->target.n == 0)
				add_event(events, &event); /* T4 */
			break;
		case ENTRY_COMPACTION:
		case ENTRY_OTHER:
			break;
		}
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
		add_event(events, &event); /* not understood: void all */
	}
}

struct branch
branch_load(struct arena *arena, const struct session *session,
    const struct focus *focus)
{
	struct focus wanted = {
	    .path = SPAN(""), .name = SPAN(""), .bytes = SPAN("")};
	struct events events = {.arena = arena, .focus = &wanted};
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
	events.doc = &doc;
	walk_down(&events, &walk);
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
