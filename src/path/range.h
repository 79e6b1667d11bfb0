/*
 * range.h -- "path:12" and "path:12-40".
 */
#ifndef READCACHE_PATH_RANGE_H
#define READCACHE_PATH_RANGE_H

#include <stdint.h>

#include "base/arena.h"

enum range_suffix {
	RANGE_NONE, /* no colon in the last component: only a path */
	RANGE_GOOD,
	RANGE_BAD   /* a colon, but no range after it */
};

struct range {
	struct span path; /* everything before the last colon */
	struct span suffix;
	uint64_t first;
	uint64_t last; /* 0: to the end */
};

/* Split "path:12-40".  For RANGE_BAD only path and suffix are set. */
enum range_suffix range_split(struct span path, struct range *range);

/* "Invalid range ...", for a bad suffix after a file that exists. */
struct span range_message(struct arena *arena, const struct range *range);

#endif
