#include "host/pi/session.h"

#include "host/pi/lineage.h"
#include "host/pi/trail.h"

/* The branch among the request's own entries. */
static enum branch_state
load_entries(struct arena *arena, const struct session *session,
    struct events *events)
{
	struct lineage lineage;
	enum branch_state state = lineage_find(arena, session, &lineage);

	if (state != BRANCH_OK)
		return state;
	for (size_t i = lineage.n; i > 0; i--)
		events_add(events, session->doc, lineage.path[i - 1],
		    lineage_edit(&lineage, lineage.path[i - 1]), 0);
	return BRANCH_OK;
}

static enum branch_state
load_file(struct arena *arena, const struct session *session,
    struct events *events, struct dirs *dirs)
{
	const struct trail_ids ids = {seen_new(arena), seen_new(arena)};
	struct session_file file;
	struct trail *trail;
	enum branch_state state;

	if (!session_file_open(arena, session->file, &file))
		return BRANCH_NO_FILE;
	dirs_of_headers(dirs, arena, file.origin.cwd, file.origin.parent);
	state = trail_find(arena, &file, session, events->focus, &ids, &trail);
	if (state == BRANCH_OK && !trail_events(trail, events))
		return BRANCH_NO_FILE;
	return state;
}

enum branch_state
session_events(struct arena *arena, const struct session *session,
    struct events *events, struct dirs *dirs)
{
	return session->source == SESSION_FILE
	    ? load_file(arena, session, events, dirs)
	    : load_entries(arena, session, events);
}
