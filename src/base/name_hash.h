/*
 * name_hash.h -- a number for a name.
 *
 * SipHash-1-3 by a key of this process: whoever writes a session, a request or
 * a workflow cannot choose names that fall on the same number.  So nothing may
 * depend on the number but where a name is looked for.
 */
#ifndef READCACHE_BASE_NAME_HASH_H
#define READCACHE_BASE_NAME_HASH_H

#include <stdint.h>

#include "base/span.h"

/* Never 0. */
uint64_t name_hash(struct span name);

struct name_key {
	uint64_t low, high;
};

/* The function itself, for its test. */
uint64_t name_hash_by(struct name_key key, struct span name);

#endif
