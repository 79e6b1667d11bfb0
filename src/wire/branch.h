/*
 * branch.h -- from a session to the events of its branch (SPEC 5).
 *
 * The walk goes from the leaf towards the root and ends at the boundary.  It
 * never fails: what cannot be used is left out, and only trust is lost.
 */
#ifndef READCACHE_WIRE_BRANCH_H
#define READCACHE_WIRE_BRANCH_H

#include "base/arena.h"
#include "replay/event.h"
#include "wire/dirs.h"
#include "wire/entry.h"

enum branch_state {
	BRANCH_OK,
	BRANCH_NO_SESSION,  /* the request named none */
	BRANCH_NO_FILE,     /* the session file cannot be used */
	BRANCH_NO_LEAF,     /* no leaf given, or not found: T8 */
	BRANCH_UNKNOWN,     /* session.after is not remembered */
	BRANCH_CYCLE        /* parents go in a circle */
};

enum leaf_kind { LEAF_ABSENT, LEAF_EMPTY, LEAF_ID };

/* What the request says about the session. */
struct session {
	const struct json_doc *doc; /* the request's text */
	enum { SESSION_NONE, SESSION_ENTRIES, SESSION_FILE } source;
	struct span id;      /* the host's name for it, or empty */
	struct span entries; /* a JSON array */
	struct span after;   /* the entry that those follow, or empty */
	struct span file;    /* an absolute path */
	enum leaf_kind leaf;
	struct span leaf_id;
	struct span overlay; /* a JSON array, or empty */
	struct dirs dirs;    /* where its calls were made, besides cwd */
	struct memory *memory; /* of the process; NULL: it has none */
	bool held; /* that has the branch now, see branch_known */
};

struct branch {
	enum branch_state state;
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
 * Tell the process's memory of the entries in SESSION, before anything is done
 * with the request: whatever comes of that, the next one may go on after them.
 * False: they go on after an entry that is not known.
 */
bool branch_known(struct arena *arena, struct session *session);

/* As it stands in a status answer. */
const char *branch_state_name(enum branch_state state);

#endif
