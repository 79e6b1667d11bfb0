/*
 * gaps.h -- the lines of a range that are not accounted for yet.
 */
#ifndef READCACHE_REPLAY_GAPS_H
#define READCACHE_REPLAY_GAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/budget.h"

struct gap {
	struct gap *next;
	uint64_t first, last;
};

/* Sorted by line.  No gap is empty, and no two touch. */
struct gaps {
	struct arena *arena;
	struct budget *budget;
	struct gap *list;
};

/* One gap from FIRST to LAST; none if LAST is less than FIRST. */
struct gaps gaps_new(struct arena *arena, struct budget *budget,
    uint64_t first, uint64_t last);

/*
 * Lines FIRST to LAST are accounted for.  If the budget is used up, some of
 * them may stay in the gaps.
 */
void gaps_fill(struct gaps *gaps, uint64_t first, uint64_t last);

/*
 * Is any of the lines FIRST to LAST not accounted for?  Also true if the budget
 * is used up.
 */
bool gaps_touch(const struct gaps *gaps, uint64_t first, uint64_t last);

static inline bool
gaps_none(const struct gaps *gaps)
{
	return gaps->list == NULL;
}

#endif
