/*
 * unified.h -- two texts, one unified diff (SPEC 10).
 */
#ifndef READCACHE_DIFF_UNIFIED_H
#define READCACHE_DIFF_UNIFIED_H

#include <stdint.h>

#include "base/arena.h"

struct diff {
	struct span hunks; /* from the first @@ on; empty: texts are equal */
	uint64_t lines;    /* of the hunks */
	uint64_t changed;  /* per changed block the larger of - and + */
};

/* False if the engine fails. */
bool diff_make(struct arena *arena, struct span old_text,
    struct span new_text, struct diff *diff);

#endif
