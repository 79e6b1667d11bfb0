/*
 * tag.h -- proof that whoever wrote a small thing knew a key (SipHash-2-4 with
 * 128 bits).
 *
 * Much faster than mac.h.  For things that are never worth more than an
 * accelerator; what is believed has a mac.
 */
#ifndef READCACHE_BASE_TAG_H
#define READCACHE_BASE_TAG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

/* A tag, or a key: a tag that is kept secret may be the key of the next one. */
struct tag {
	uint64_t low, high;
};

struct tag tag_of(struct tag key, struct span bytes);

static inline bool
tag_eq(struct tag a, struct tag b)
{
	return ((a.low ^ b.low) | (a.high ^ b.high)) == 0;
}

#endif
