/*
 * range.h -- "path:12" and "path:12-40".
 */
#ifndef READCACHE_PATH_RANGE_H
#define READCACHE_PATH_RANGE_H

#include <stdint.h>

#include "base/arena.h"

enum range_suffix {
	RANGE_NONE, /* no colon in its last component: only a path */
	RANGE_GOOD,
	RANGE_BAD   /* a colon, but no range behind it */
};

struct range {
	struct span path; /* what stands before the last colon */
	struct span suffix;
	uint64_t first;
	uint64_t last; /* 0: to the end */
};

enum range_suffix range_split(struct span path, struct range *range);

/* "Invalid range ...", for a suffix behind a file that exists. */
struct span range_message(struct arena *arena, const struct range *range);

#endif
