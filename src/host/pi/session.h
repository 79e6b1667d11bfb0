/*
 * session.h -- what a host says about a request's session, and the events of
 * the branch that it names (SPEC 5).
 *
 * The walk goes from the leaf towards the root and ends at the boundary.  It
 * never fails: what cannot be used is left out, and only trust is lost.
 */
#ifndef READCACHE_HOST_PI_SESSION_H
#define READCACHE_HOST_PI_SESSION_H

#include "base/arena.h"
#include "host/pi/dirs.h"
#include "host/pi/events.h"

enum branch_state {
	BRANCH_OK,
	BRANCH_NO_SESSION,  /* the request named no session */
	BRANCH_NO_FILE,     /* the session file cannot be used */
	BRANCH_NO_LEAF,     /* no leaf given, or not found: T8 */
	BRANCH_UNKNOWN,     /* session.after is not remembered */
	BRANCH_CYCLE        /* parents form a circle */
};

enum leaf_kind { LEAF_ABSENT, LEAF_EMPTY, LEAF_ID };

/* What the request says about the session. */
struct session {
	const struct json_doc *doc; /* the request's text */
	enum { SESSION_NONE, SESSION_ENTRIES, SESSION_FILE } source;
	struct span id;      /* the host's name for it; may be empty */
	struct span entries; /* a JSON array */
	struct span after;   /* the entry that they follow, or empty */
	struct span file;    /* an absolute path */
	enum leaf_kind leaf;
	struct span leaf_id;
	struct span overlay; /* a JSON array, or empty */
	struct dirs dirs;    /* where its calls were made, besides cwd */
	struct memory *memory; /* of the process; NULL: it has none */
	bool held; /* memory has this branch now, see branch_known */
};

/*
 * Add the events of the branch to EVENTS, from its file or its entries.  Add
 * the directories in which a file's calls were made to DIRS.
 */
enum branch_state session_events(struct arena *arena,
    const struct session *session, struct events *events, struct dirs *dirs);

#endif
