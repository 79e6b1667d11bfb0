/*
 * unified.h -- the unified diff of two texts (SPEC 10).
 */
#ifndef READCACHE_DIFF_UNIFIED_H
#define READCACHE_DIFF_UNIFIED_H

#include <stdint.h>

#include "base/arena.h"

struct diff {
	struct span hunks; /* from the first @@ on; empty: equal texts */
	uint64_t lines;    /* of the hunks */
	uint64_t changed;  /* for each changed block the larger of - and + */
};

/* Compare two texts; the hunks live in ARENA.  False if xdiff fails. */
bool diff_make(struct arena *arena, struct span old_text,
    struct span new_text, struct diff *diff);

/*
 * The same by Myers' algorithm, with its heuristics.  It is less good to read,
 * but its time and memory do not grow with the square of the lines.
 */
bool diff_match(struct arena *arena, struct span old_text,
    struct span new_text, struct diff *diff);

#endif
