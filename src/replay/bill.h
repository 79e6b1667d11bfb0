/*
 * bill.h -- what the provider's token counts prove (T15).
 */
#ifndef READCACHE_REPLAY_BILL_H
#define READCACHE_REPLAY_BILL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Was something taken out of the conversation between a request of BEFORE
 * tokens and a later one of NOW tokens?  A conversation only grows, unless
 * something is taken out.  A loss of up to a fifth is allowed, because
 * providers drop some things themselves.
 */
static inline bool
bill_is_loss(uint64_t before, uint64_t now)
{
	return now < before - before / 5;
}

#endif
