/*
 * knowledge.h -- what the visible texts of one file prove to their reader.
 *
 * Answers are taken in the order in which they are in the context.  A text of
 * the whole file is the file.  A part replaces its lines.  A diff turns the
 * whole file, if it was made for it, into the next version.  The last text
 * shown of a line is what the reader believes it to be.  Markers show nothing,
 * but a true marker says that its lines belong to one more version.
 *
 * The reader also knows what it wrote itself: the arguments of its own calls are
 * as visible as answers.  They change the file, but not what was shown: so they
 * count only for answers that speak of them.
 *
 * Hashes in metadata are claims: they are compared with what was shown, and
 * never replace it.
 */
#ifndef READCACHE_INSPECT_KNOWLEDGE_H
#define READCACHE_INSPECT_KNOWLEDGE_H

#include "base/budget.h"
#include "inspect/said.h"
#include "replay/own.h"

struct knowledge;

/* Why a reader cannot know what a marker or a diff claims. */
enum claim_fault {
	CLAIM_SOUND,
	CLAIM_NOTHING, /* nothing of the file was shown */
	CLAIM_NEVER,   /* lines first-last were never shown */
	CLAIM_LENGTH,  /* the file was last shown with FIRST lines, not LAST */
	CLAIM_VERSION, /* the version shown is another one */
	CLAIM_NO_VERSION, /* no text of the version or its base was shown */
	CLAIM_LINE,	  /* line FIRST was last shown with another text */
	CLAIM_NO_BASE,	  /* the file was not shown whole before the diff */
	CLAIM_BASE,	  /* the diff is for another version */
	CLAIM_APPLY,	  /* the diff does not fit */
	CLAIM_RESULT,	  /* the diff gives another version */
	CLAIM_NEITHER,	  /* line FIRST, shown since, is on neither side */
	CLAIM_BROKEN,	  /* it is not a diff */
	CLAIM_UNTOLD,	  /* too much to check */
	CLAIM_CALL,	  /* it rests on a call that is not visible */
	CLAIM_WRITTEN,	  /* the reader did not write the file */
	CLAIM_OWN,	  /* more lines than the reader wrote */
	CLAIM_NOT_OWN,	  /* the reader did not write line FIRST */
	CLAIM_UNNAMED,	  /* the reader changed line FIRST, too */
	CLAIM_UNCUT,	  /* nothing was removed before line FIRST */
	CLAIM_EDITS,	  /* the reader's changes give another version */
	CLAIM_PARTS	  /* the parts give another version */
};

struct knowledge_fault {
	enum claim_fault kind;
	uint64_t first, last;
};

/* Write the fault as words: "lines 5-9 were never shown". */
void knowledge_fault_write(
    struct buf *buf, const struct knowledge_fault *fault);

/* An answer, and what is known about it. */
struct known_answer {
	struct answer_said said;
	const struct meta *meta; /* or NULL */
	bool sealed;             /* the metadata surely belongs to the text */
	bool altered;            /* it surely does not */
};

/*
 * What may be spent on all that is known from a session of BYTES bytes.  A
 * claim of a few words may be about all lines of a file.
 */
struct budget knowledge_budget(uint64_t bytes);

/*
 * Knowledge of a file of which nothing was shown yet.  WORK is paid for it, by
 * whoever uses it.  When that is used up, no claim can be checked any more.
 */
struct knowledge *knowledge_new(struct arena *arena, struct budget *work);

/*
 * Take the next answer in the context.  SCRATCH is used only during the call.
 */
void knowledge_take(struct knowledge *knowledge,
    const struct known_answer *answer, struct arena *scratch);

/*
 * The reader changed the file itself, by a call that is in the context.  CHANGE
 * is NULL if that is not known, or is not visible any more.
 */
void knowledge_own(struct knowledge *knowledge,
    const struct own_change *change, struct arena *scratch);

/* Can a reader know what ANSWER, the next one, claims? */
struct knowledge_fault knowledge_check(const struct knowledge *knowledge,
    const struct known_answer *answer, struct arena *scratch);

#endif
