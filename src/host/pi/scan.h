/*
 * scan.h -- the lines of a file of any size, from its beginning, in memory
 * that grows with the longest line only.
 */
#ifndef READCACHE_HOST_PI_SCAN_H
#define READCACHE_HOST_PI_SCAN_H

#include <stdint.h>

#include "base/arena.h"

/* A line that is longer than this is none (see scan_next). */
#define SCAN_LINE_MAX ((size_t)64 * 1024 * 1024)

struct scan {
	struct arena *arena;
	int fd;
	char *p; /* bytes from..n of it are not used yet */
	size_t from, n, room;
	uint64_t offset; /* of p[from] in the file */
	bool end, failed;
};

/* From the beginning of FD, which stays the caller's. */
struct scan scan_new(struct arena *arena, int fd);

/*
 * The next line without its line end, and where it begins.  It is valid until
 * the next call.  One that is too long is given as an empty line.  False at
 * the end; scan->failed then tells whether it was that of the file.
 */
bool scan_next(struct scan *scan, struct span *line, uint64_t *offset);

/* About how many lines there are, for those who must make room for them. */
uint64_t scan_count(struct arena *arena, int fd);

#endif
