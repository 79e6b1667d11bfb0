/*
 * branch.h -- the events of a request's branch (SPEC 5).
 *
 * They are remembered, or come from the session.  The overlay follows them.
 */
#ifndef READCACHE_SERVE_BRANCH_H
#define READCACHE_SERVE_BRANCH_H

#include "replay/event.h"
#include "session/call.h"
#include "session/focus.h"
#include "session/session.h"

struct branch {
	enum branch_state state;
	bool remembered; /* the events are in session.memory, not here */
	struct event *events; /* oldest first, the overlay last */
	size_t n;
	struct call *pending; /* calls that have no result yet (T14) */
	struct dirs dirs;     /* where its calls were made, besides cwd */
};

/*
 * Load the branch.  FOCUS is the only file whose events are wanted; reads of
 * others are left out.  NULL: all files.
 */
struct branch branch_load(struct arena *arena, const struct session *session,
    const struct focus *focus);

/*
 * The same in two steps.  If the process remembers the branch, branch_find
 * leaves its events and the overlay to branch_recall, which may not be needed.
 */
struct branch branch_find(struct arena *arena, const struct session *session,
    const struct focus *focus);
void branch_recall(struct arena *arena, const struct session *session,
    const struct focus *focus, struct branch *branch);

/* Does the request say more than its branch? */
bool branch_overlaid(const struct session *session);

/*
 * Add the entries in SESSION to the process's memory, before anything else is
 * done with the request: whatever becomes of it, the next request may continue
 * after them.  False if they continue after an entry that is not known.
 */
bool branch_known(struct arena *arena, struct session *session);

/* The name of STATE in a status answer. */
const char *branch_state_name(enum branch_state state);

#endif
