/*
 * slurp.h -- all bytes of a file, from one open and one pass of reads.
 */
#ifndef READCACHE_BASE_SLURP_H
#define READCACHE_BASE_SLURP_H

#include <stdint.h>

#include "base/arena.h"

enum slurp {
	SLURP_OK,
	SLURP_SPECIAL,   /* not a regular file, or one without a real size */
	SLURP_TOO_LARGE, /* more than the limit */
	SLURP_FAILED     /* errno says why */
};

/*
 * Open PATH for reading.  Only a regular file is opened, so that the writer of
 * a FIFO is not disturbed.  -1 with errno if that fails; errno is 0 if PATH is
 * not a regular file.
 */
int slurp_open(const char *path);

/*
 * Read the regular file FD to its end.  On SLURP_OK *BYTES has the bytes, which
 * live in ARENA.
 */
enum slurp slurp(struct arena *arena, int fd, size_t limit,
    struct span *bytes);

/*
 * Read the regular file FD to its end, as slurp does.  After every piece that
 * was read, LOOK is called with WHAT and all bytes read so far, while the
 * latest ones are still in the processor's cache.
 */
enum slurp slurp_looking(struct arena *arena, int fd, size_t limit,
    void (*look)(void *what, struct span so_far), void *what,
    struct span *bytes);

/*
 * Read FD to its end, whatever it is: a pipe, a terminal, a file.  *BYTES is
 * what was read, which lives in ARENA, even when the result is not SLURP_OK.
 */
enum slurp slurp_stream(
    struct arena *arena, int fd, size_t limit, struct span *bytes);

/*
 * Read the N bytes at OFFSET of FD to P.  False if there are fewer, or on an
 * error.
 */
bool slurp_at(int fd, char *p, size_t n, uint64_t offset);

#endif
