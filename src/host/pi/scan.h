/*
 * scan.h -- the lines of a file of any size, from its beginning.
 *
 * The memory it needs grows with the longest line only.
 */
#ifndef READCACHE_HOST_PI_SCAN_H
#define READCACHE_HOST_PI_SCAN_H

#include <stdint.h>

#include "base/arena.h"

/* A longer line counts as empty (see scan_next). */
#define SCAN_LINE_MAX ((size_t)64 * 1024 * 1024)

struct scan {
	struct arena *arena;
	int fd;
	char *p; /* its bytes from..n are not used yet */
	size_t from, n, room;
	uint64_t offset; /* of p[from] in the file */
	bool end, failed;
};

/* Start at the beginning of FD, which the caller keeps. */
struct scan scan_new(struct arena *arena, int fd);

/*
 * The next line without its LF, and its offset.  It is valid until the next
 * call.  A line that is too long is given as an empty one.  False at the end;
 * scan->failed then says whether a read failed.
 */
bool scan_next(struct scan *scan, struct span *line, uint64_t *offset);

/* About how many lines the file has, to make room for them. */
uint64_t scan_count(struct arena *arena, int fd);

#endif
