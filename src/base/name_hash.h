/*
 * name_hash.h -- a number for a short name.
 */
#ifndef READCACHE_BASE_NAME_HASH_H
#define READCACHE_BASE_NAME_HASH_H

#include <stdint.h>

#include "base/span.h"

/* FNV-1a with a last mix: names here are short and mostly random.  Never 0. */
static inline uint64_t
name_hash(struct span name)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < name.n; i++)
		h = (h ^ (unsigned char)name.p[i]) * UINT64_C(1099511628211);
	h ^= h >> 29;
	return h != 0 ? h : 1;
}

#endif
