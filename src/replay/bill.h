/*
 * bill.h -- what the provider's count of tokens tells (T15).
 */
#ifndef READCACHE_REPLAY_BILL_H
#define READCACHE_REPLAY_BILL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A conversation only grows, unless something is taken out of it.  Was
 * something taken out between a request of BEFORE tokens and one of NOW?  A
 * fifth is left for what providers drop by themselves.
 */
static inline bool
bill_is_loss(uint64_t before, uint64_t now)
{
	return now < before - before / 5;
}

#endif
