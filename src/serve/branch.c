#include "serve/branch.h"

#include "host/host.h"
#include "meta/meta.h"
#include "serve/memory.h"
#include "session/lineage.h"

static void
overlay_events(struct events *events, const struct json_doc *doc,
    struct span overlay)
{
	struct json_items items = json_items(doc, overlay);
	struct event event;
	struct meta meta;
	struct span value;

	while (json_next(&items, &value)) {
		if (meta_parse(events->arena, value, &meta))
			event = meta.read;
		else
			(void)invalidation_parse(events->arena, value, &event);
		events_append(events, &event); /* FORGET if not understood */
	}
}

bool
branch_overlaid(const struct session *session)
{
	struct json_items items = json_items(session->doc, session->overlay);
	struct span value;

	return json_next(&items, &value);
}

/* The branch among the request's own entries. */
static enum branch_state
load_entries(struct arena *arena, const struct session *session,
    struct events *events)
{
	struct lineage lineage;
	enum branch_state state = lineage_find(arena, session,
	    host->entry, &lineage);

	if (state != BRANCH_OK)
		return state;
	for (size_t i = lineage.n; i > 0; i--)
		host->add(events, session->doc, lineage.path[i - 1],
		    lineage_edit(&lineage, lineage.path[i - 1]), 0);
	return BRANCH_OK;
}

/* The branch in its file. */
static enum branch_state
load_file(struct arena *arena, const struct session *session,
    struct events *events, struct dirs *dirs)
{
	const struct branch_ids ids = {seen_new(arena), seen_new(arena)};
	struct session_file file;
	struct branch_end end;

	if (!host->open(arena, session->file, &file))
		return BRANCH_NO_FILE;
	host->dirs(dirs, arena, file.cwd, file.parent);
	return host->branch(&file, session, &ids, events, &end);
}

/* Find the session in memory, or load it from its file or the request. */
static enum branch_state
load(struct arena *arena, const struct session *session,
    struct events *events, struct branch *branch)
{
	if (session->source == SESSION_NONE)
		return BRANCH_NO_SESSION;
	if (session->leaf == LEAF_EMPTY)
		return BRANCH_OK;
	branch->remembered = session->held;
	if (branch->remembered)
		return BRANCH_OK;
	if (session->after.n > 0)
		return BRANCH_UNKNOWN;
	branch->remembered = session->source == SESSION_FILE &&
	    session->memory != NULL &&
	    memory_follow(session->memory, arena, session);
	if (!branch->remembered)
		return session->source == SESSION_FILE
		    ? load_file(arena, session, events, &branch->dirs)
		    : load_entries(arena, session, events);
	memory_dirs(session->memory, arena, &branch->dirs);
	return BRANCH_OK;
}

struct branch
branch_find(struct arena *arena, const struct session *session,
    const struct focus *focus)
{
	struct focus wanted = {
	    .path = SPAN(""), .name = SPAN(""), .bytes = SPAN("")};
	struct events events = events_new(arena, &wanted);
	struct branch branch = {.dirs = session->dirs};

	if (focus != NULL)
		wanted = *focus;
	else
		wanted.hash = digest_of(wanted.bytes);
	wanted.texts_left_out = session->source == SESSION_ENTRIES;
	branch.state = load(arena, session, &events, &branch);
	if (branch.state != BRANCH_OK)
		return branch;
	if (branch.remembered)
		events.turn = memory_turn(session->memory);
	branch.pending = events_pending(&events.turn, arena);
	if (branch.remembered)
		return branch;
	overlay_events(&events, session->doc, session->overlay);
	branch.events = events.list;
	branch.n = events.n;
	return branch;
}

void
branch_recall(struct arena *arena, const struct session *session,
    const struct focus *focus, struct branch *branch)
{
	struct events events = events_new(arena, focus);

	if (!branch->remembered)
		return;
	memory_events(session->memory, focus, &events);
	overlay_events(&events, session->doc, session->overlay);
	branch->events = events.list;
	branch->n = events.n;
}

struct branch
branch_load(struct arena *arena, const struct session *session,
    const struct focus *focus)
{
	struct branch branch = branch_find(arena, session, focus);

	branch_recall(arena, session, focus, &branch);
	return branch;
}

bool
branch_known(struct arena *arena, struct session *session)
{
	session->held = session->source == SESSION_ENTRIES &&
	    session->memory != NULL &&
	    memory_follow(session->memory, arena, session);
	return session->held || session->after.n == 0;
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
	case BRANCH_UNKNOWN:
		return "unknown_leaf";
	case BRANCH_CYCLE:
		break;
	}
	return "cycle";
}
