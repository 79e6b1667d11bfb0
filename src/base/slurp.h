/*
 * slurp.h -- a regular file's bytes, by one open and one pass of reads.
 */
#ifndef READCACHE_BASE_SLURP_H
#define READCACHE_BASE_SLURP_H

#include <stdint.h>

#include "base/arena.h"

enum slurp {
	SLURP_OK,
	SLURP_SPECIAL,   /* not a regular file, or one without a real size */
	SLURP_TOO_LARGE, /* more than the limit */
	SLURP_FAILED     /* errno tells */
};

/*
 * Open PATH to read.  Something that is not a regular file is not opened, so
 * that a FIFO's writer is not disturbed: -1 with errno 0.
 */
int slurp_open(const char *path);

/* Everything from FD to its end.  The bytes live in ARENA. */
enum slurp slurp(struct arena *arena, int fd, size_t limit,
    struct span *bytes);

/*
 * The same, and LOOK is called with WHAT and all bytes that were read so far,
 * now and then, while the latest are still near the processor.
 */
enum slurp slurp_looking(struct arena *arena, int fd, size_t limit,
    void (*look)(void *what, struct span so_far), void *what,
    struct span *bytes);

/* The same for anything that can be read: a pipe, a terminal. */
enum slurp slurp_stream(
    struct arena *arena, int fd, size_t limit, struct span *bytes);

/* The N bytes at OFFSET of FD, to P.  False if there are fewer, or an error. */
bool slurp_at(int fd, char *p, size_t n, uint64_t offset);

#endif
