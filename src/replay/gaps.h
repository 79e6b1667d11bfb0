/*
 * gaps.h -- which lines of a range are not accounted for yet.
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

/* Gaps by their lines, none empty, none touching another. */
struct gaps {
	struct arena *arena;
	struct budget *budget;
	struct gap *list;
};

/* All of FIRST to LAST; none if LAST is before FIRST. */
struct gaps gaps_new(struct arena *arena, struct budget *budget,
    uint64_t first, uint64_t last);

/* FIRST to LAST are accounted for, as far as the budget goes. */
void gaps_fill(struct gaps *gaps, uint64_t first, uint64_t last);

/* Is any of FIRST to LAST not accounted for?  True if nobody can tell. */
bool gaps_touch(const struct gaps *gaps, uint64_t first, uint64_t last);

static inline bool
gaps_none(const struct gaps *gaps)
{
	return gaps->list == NULL;
}

#endif
