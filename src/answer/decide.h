/*
 * decide.h -- from what is known to the kind of answer (SPEC 7).
 *
 * A pure, total function of a few small facts.  For every combination of them
 * the answer is safe.
 */
#ifndef READCACHE_ANSWER_DECIDE_H
#define READCACHE_ANSWER_DECIDE_H

#include "replay/event.h"

/* May the answer carry metadata at all? */
enum bar_fact {
	BAR_NONE,
	BAR_NESTED,   /* T5 */
	BAR_EXCLUDED, /* SPEC 12 */
	BAR_SETTINGS, /* settings that might exclude it cannot be read */
	BAR_NO_LINE,  /* nothing is shown: T1 */
	BAR_NO_KEY,   /* the real path is not known */
	BAR_FACTS
};

enum base_fact {
	BASE_NEVER,      /* none: the scope was not seen */
	BASE_NO_SESSION, /* none: the request names no session */
	BASE_NO_BRANCH,  /* none: the session's branch is not known: T8 */
	BASE_REFRESHED,  /* none: T7 */
	BASE_MOVED,      /* none: T11 */
	BASE_BYPASSED,   /* not asked for */
	BASE_SAME,       /* it has the file's hash */
	BASE_DIFFERS,
	BASE_FACTS
};

enum newer_fact {
	NEWER_AGREES, /* no newer view, or only ones that agree: T6 */
	NEWER_DISAGREES,
	NEWER_FACTS
};

/* How base and file compare.  Found out only if the base differs. */
enum change_fact {
	CHANGE_UNKNOWN,
	CHANGE_BASE_MISSING,
	CHANGE_LINES_SAME,
	CHANGE_LINES_DIFFER,
	CHANGE_DIFF_USEFUL,
	CHANGE_DIFF_USELESS,
	CHANGE_DIFF_FAILED, /* or it did not apply: T10 */
	CHANGE_FACTS
};

/* Does the reader know all requested lines, wherever shown? (SPEC 16) */
enum cover_fact {
	COVER_NOT_ASKED, /* policy strict */
	COVER_NONE,      /* not all, or something newer disagrees */
	COVER_VOID,      /* some were refreshed and not shown since */
	COVER_ALL,
	COVER_FACTS
};

/* Could a compact answer be of no use to the reader? (T13, SPEC 16) */
enum pause_fact {
	PAUSE_NONE,
	PAUSE_OWN_EDIT,    /* it changed the file: "unchanged" since when? */
	PAUSE_OWN_UNDONE,  /* and a diff might not say that this is undone */
	PAUSE_REPEAT,      /* it got the same marker again and again */
	PAUSE_FAILED_EDIT, /* its edit was refused: does it know the text? */
	PAUSE_FACTS
};

/* What else runs at the same time, in the same message? (T14) */
enum beside_fact {
	BESIDE_NOTHING, /* nothing that may change the file */
	BESIDE_UNKNOWN, /* a shell, or a tool that we do not know */
	BESIDE_FACTS
};

/* Could the lines be followed back to what the reader has? (SPEC 16) */
enum piece_fact {
	PIECE_NONE, /* no, or it saves too little */
	PIECE_OWN,  /* only the reader has changed the file since */
	PIECE_MIXED,
	PIECE_FACTS
};

/* Is the marker shorter than the text it stands for? */
enum marker_fact { MARKER_SAVES, MARKER_COSTS, MARKER_FACTS };

struct evidence {
	enum bar_fact bar;
	enum scope_kind scope;
	enum base_fact base;
	enum newer_fact newer;
	enum change_fact change;
	enum cover_fact cover;
	enum pause_fact pause;
	enum beside_fact beside;
	enum marker_fact marker;
	enum piece_fact piece;
};

struct decided {
	enum mode mode;
	const char *reason;
	bool pieced; /* the answer is made of pieces */
};

/* The mode of the answer, and the reason for it. */
struct decided decide(struct evidence ev);

#endif
