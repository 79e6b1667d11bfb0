/*
 * knowledge_inside.h -- only for the files that implement knowledge.h.
 */
#ifndef READCACHE_INSPECT_KNOWLEDGE_INSIDE_H
#define READCACHE_INSPECT_KNOWLEDGE_INSIDE_H

#include "base/budget.h"
#include "inspect/knowledge.h"
#include "inspect/sheet.h"
#include "inspect/versions.h"

/*
 * Invariants:
 *  1. sheet has the last text shown of every line.
 *  2. whole is the file as it was last shown whole, with later diffs applied.
 *     Lines of the sheet that were shown after that are marked `since'.
 */
struct knowledge {
	struct arena *arena;
	struct texts texts;
	struct versions versions;
	struct budget *compares; /* grows with every answer */
	struct sheet sheet, spare;
	bool has_whole;
	struct column whole;
	uint64_t whole_room;
	struct digest whole_hash;
	uint64_t ended; /* a part showed since that it ends here, or 0 */
	uint64_t told;  /* lines it was last said to have, or 0 */
};

/* The whole file is TEXT. */
void knowledge_whole(struct knowledge *k, struct span text,
    struct arena *scratch);

/* Nothing is known any more. */
void knowledge_forget(struct knowledge *k);

/* A diff was shown. */
void knowledge_diff(struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch);

/* A diff applied: the file before and after it. */
struct applied {
	struct column base; /* as it was shown */
	struct span text;   /* as it is now */
};

/* Apply a diff to what is known.  The fault says why that is not possible. */
struct knowledge_fault knowledge_apply(const struct knowledge *k,
    const struct known_answer *answer, struct arena *scratch,
    struct applied *applied);

/* What a marker says about a version. */
struct claim {
	struct version version;
	bool shared; /* its lines are those of a kept version */
};

/*
 * Check ANSWER as knowledge_check does.  If it is a marker with metadata and
 * without fault, CLAIM is what can be learned from it.
 */
struct knowledge_fault knowledge_judge(const struct knowledge *k,
    const struct known_answer *answer, struct arena *scratch,
    struct claim *claim);

#endif
