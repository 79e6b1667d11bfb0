/*
 * knowledge_inside.h -- for the files of knowledge only.
 */
#ifndef READCACHE_INSPECT_KNOWLEDGE_INSIDE_H
#define READCACHE_INSPECT_KNOWLEDGE_INSIDE_H

#include "base/budget.h"
#include "inspect/knowledge.h"
#include "inspect/sheet.h"
#include "inspect/versions.h"

/*
 * Invariants:
 *  1. sheet holds what was shown last of every line.
 *  2. whole is the file as it was last shown whole, and then by diffs; lines
 *     of the sheet that were shown after it, and not by it, are `since'.
 */
struct knowledge {
	struct arena *arena;
	struct texts texts;
	struct versions versions;
	struct budget *compares; /* it grows with every answer */
	struct sheet sheet, spare;
	bool has_whole;
	struct column whole;
	uint64_t whole_room;
	struct digest whole_hash;
	uint64_t ended; /* a part showed since that the file ends here, or 0 */
	uint64_t told;  /* so many lines it was last said to have, or 0 */
};

/* The file is TEXT. */
void knowledge_whole(struct knowledge *k, struct span text,
    struct arena *scratch);

/* Nothing is known any more. */
void knowledge_forget(struct knowledge *k);

/* A diff was shown. */
void knowledge_diff(struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch);

/* A diff, and the file on both sides of it. */
struct applied {
	struct column base; /* as it was shown */
	struct span text;   /* as it is now */
};

/* Apply a diff to what is known; if that cannot be done, why. */
struct flaw knowledge_apply(const struct knowledge *k,
    const struct known_answer *answer, struct arena *scratch,
    struct applied *applied);

/* What a marker says of which version. */
struct claim {
	struct version version;
	bool shared; /* its lines are those of a version that is kept */
};

/*
 * As knowledge_check.  If a marker with metadata is without flaw, CLAIM is
 * what there is to learn from it.
 */
struct flaw knowledge_judge(const struct knowledge *k,
    const struct known_answer *answer, struct arena *scratch,
    struct claim *claim);

#endif
