/*
 * name_hash.h -- the hash of a name.
 *
 * SipHash-1-3 with a key that is new in every process.  So whoever writes a
 * session, a request or a workflow cannot choose names that collide.  Use the
 * number only to look a name up: it is another one in the next process.
 */
#ifndef READCACHE_BASE_NAME_HASH_H
#define READCACHE_BASE_NAME_HASH_H

#include <stdint.h>

#include "base/span.h"

/* The hash of NAME; never 0. */
uint64_t name_hash(struct span name);

struct name_key {
	uint64_t low, high;
};

/* The function itself, for its test. */
uint64_t name_hash_by(struct name_key key, struct span name);

#endif
