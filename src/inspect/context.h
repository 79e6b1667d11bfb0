/*
 * context.h -- go through a recorded session, read result by read result, on
 * all its branches, and say what the model can see at each of them.
 *
 * It also sees what it wrote itself: the arguments of its own successful edits
 * and writes.  Such a change is a sight of its file as well.
 */
#ifndef READCACHE_INSPECT_CONTEXT_H
#define READCACHE_INSPECT_CONTEXT_H

#include "session/events.h"
#include "inspect/asked.h"

/* A read result on the path, or the result of a change. */
struct sight {
	uint32_t at;       /* its position on the path */
	uint32_t asked_at; /* the position of its call, or NODE_NONE */
	const struct record_result *result;
	struct asked asked;
	bool change; /* of a change only the name is asked */
	bool sure;   /* a change of this file, and no other */
};

/* What was read and changed by one name, on the path. */
struct context_subject {
	struct span name;
	struct sight *sights; /* oldest first */
	uint32_t n, room;
	/*
	 * How many sights are unchanged since somebody last set this to n.
	 * Others came, went, or were edited.
	 */
	uint32_t least;
};

struct context {
	const struct session_records *records;
	struct index_path path; /* as far as the walk has come */
	struct context_subject
	    *subject;		 /* of the latest sight; NULL: unknown */
	struct sight sight;      /* the latest read */
	uint32_t epoch; /* changes when anything may be visible or not */
	struct context_walk *walk; /* see context.c */
};

/* Begin to walk through RECORDS.  HOME replaces a tilde in recorded paths. */
struct context *context_new(const struct session_records *records,
    struct span home, struct arena *arena);

/*
 * Go to the next read result: from the root to a tip of the tree, then below
 * the last fork that is not finished, and so on, each result once.  Of entries
 * with the same id only the first is visited.  False at the end.
 */
bool context_next(struct context *context);

enum sight_state {
	SIGHT_SEEN,
	SIGHT_REPLACED,   /* a context edit replaced its text */
	SIGHT_OMITTED,    /* a context edit removed it */
	SIGHT_CALL_GONE,  /* its call failed, was aborted or edited */
	SIGHT_COMPACTED,  /* a compaction did not keep it */
	SIGHT_LOST,       /* it is before a silent loss (T15) */
	SIGHT_UNREADABLE  /* it is before an unreadable entry (T8) */
};

/*
 * Can the model see SIGHT where the walk is now?  Of a change it must see the
 * call; what became of the result does not matter.
 */
enum sight_state context_state(const struct context *context,
    const struct sight *sight);

/* The node of a sight. */
static inline uint32_t
context_node(const struct context *context, const struct sight *sight)
{
	return context->path.nodes[sight->at];
}

/* How many of the first N sights of SUBJECT are before the position AT. */
uint32_t subject_before(
    const struct context_subject *subject, uint32_t n, uint32_t at);

#endif
