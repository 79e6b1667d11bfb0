/*
 * knowledge.h -- what the visible texts of one file prove to their reader.
 *
 * Answers are taken in the order in which they stand in the context.  A text
 * shown whole is the file; a part replaces its lines; a diff turns the whole
 * file, if that is what it was made for, into the next one.  What was shown
 * last of a line is what the reader takes it for.  Markers show nothing, but
 * a marker that is true tells that these lines are those of one more version.
 *
 * Hashes in metadata are claims: they are compared with what was shown, and
 * never stand in for it.
 */
#ifndef READCACHE_INSPECT_KNOWLEDGE_H
#define READCACHE_INSPECT_KNOWLEDGE_H

#include "inspect/said.h"

struct knowledge;

/* Why a reader cannot know what a marker or a diff claims. */
enum flaw_kind {
	FLAW_NONE,
	FLAW_NOTHING,   /* nothing of the file was shown */
	FLAW_NEVER,     /* lines first-last were never shown */
	FLAW_COUNT,     /* the file was last shown with FIRST lines, not LAST */
	FLAW_VERSION,   /* what was shown is another version */
	FLAW_NO_VERSION, /* no text of the version, or its base, was shown */
	FLAW_LINE,      /* line FIRST was last shown with another text */
	FLAW_NO_BASE,   /* the file was not shown whole before the diff */
	FLAW_BASE,      /* the diff is for another version */
	FLAW_APPLY,     /* the diff does not fit */
	FLAW_RESULT,    /* the diff gives another version */
	FLAW_NEITHER,   /* line FIRST, shown since, is of neither side */
	FLAW_BROKEN,    /* it is no diff */
	FLAW_UNTOLD     /* too much was shown and taken back to tell */
};

struct flaw {
	enum flaw_kind kind;
	uint64_t first, last;
};

/* "lines 5-9 were never shown" */
void flaw_write(struct buf *buf, const struct flaw *flaw);

/* Some answer, and what is known of it. */
struct known_answer {
	struct answer_said said;
	const struct meta *meta; /* or NULL */
	bool sealed;             /* the metadata is certainly this text's */
	bool altered;            /* it certainly is not */
};

struct knowledge *knowledge_new(struct arena *arena);

/* The next answer in the context.  SCRATCH: for as long as this takes. */
void knowledge_take(struct knowledge *knowledge,
    const struct known_answer *answer, struct arena *scratch);

/* Can a reader know what ANSWER, the next one, claims? */
struct flaw knowledge_check(const struct knowledge *knowledge,
    const struct known_answer *answer, struct arena *scratch);

#endif
