/*
 * ahead.h -- a large file from its end to its beginning, read ahead.
 *
 * While one piece is looked at, a second thread reads the one before it: a
 * third of the time for a session file is the copying of its bytes.  The
 * thread does nothing else, and ends with the arena if not before.
 */
#ifndef READCACHE_HOST_PI_AHEAD_H
#define READCACHE_HOST_PI_AHEAD_H

#include <stdint.h>

#include "base/arena.h"

struct ahead;

enum { AHEAD_ROOM = 64 * 1024 };

/*
 * Begin to read FD before the offset AT, down to FIRST, which is less.  FD
 * must stay open until the end.  NULL where no thread can be had, as in a
 * confined process: read by yourself then.
 */
struct ahead *ahead_begin(struct arena *arena, int fd, uint64_t first,
    uint64_t at);

/*
 * The piece before, of *N bytes, with AHEAD_ROOM bytes to use behind it; NULL
 * if it could not be read.  The piece before that one stays as it is until
 * ahead_go_on.  Not to be called when FIRST was reached.
 */
char *ahead_piece(struct ahead *ahead, size_t *n);

/* Only the latest piece is still in use: read on. */
void ahead_go_on(struct ahead *ahead);

/* No piece is in use any more; FD may be closed. */
void ahead_end(struct ahead *ahead);

#endif
