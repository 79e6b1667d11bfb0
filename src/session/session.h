/*
 * session.h -- what a host says about a request's session (SPEC 5).
 *
 * A branch is walked from the leaf towards the root, to the boundary.  That
 * never fails: what cannot be used is left out, and only trust is lost.
 */
#ifndef READCACHE_SESSION_SESSION_H
#define READCACHE_SESSION_SESSION_H

#include "base/arena.h"
#include "base/seen.h"
#include "json/json.h"
#include "session/dirs.h"

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

/* The ids that were met.  An entry that has one of them again ends a walk. */
struct branch_ids {
	struct seen *on_way;
	struct seen *off_way; /* of other lines, and the id not found */
};

/* The end of a branch in a session file. */
struct branch_end {
	struct span leaf; /* its id */
	bool ragged;      /* after the leaf is something unreadable */
};

#endif
