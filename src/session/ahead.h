/*
 * ahead.h -- read a large file from its end to its beginning, ahead of its use.
 *
 * While one piece is looked at, a second thread reads the piece before it: a
 * third of the time for a session file is spent copying its bytes.  The thread
 * does nothing else.  It ends with the arena, if ahead_end did not end it
 * before.
 */
#ifndef READCACHE_SESSION_AHEAD_H
#define READCACHE_SESSION_AHEAD_H

#include <stdint.h>

#include "base/arena.h"

struct ahead;

enum { AHEAD_ROOM = 64 * 1024 };

/*
 * Start to read FD backwards from the offset AT down to FIRST, which is less.
 * FD must stay open until ahead_end.  NULL if no thread can be started, as in a
 * confined process; the caller then reads by itself.
 */
struct ahead *ahead_begin(struct arena *arena, int fd, uint64_t first,
    uint64_t at);

/*
 * The next piece towards the beginning, of *N bytes, with AHEAD_ROOM bytes of
 * free room after it.  NULL if it could not be read.  The piece given before
 * stays valid until ahead_go_on.  Do not call it after FIRST was reached.
 */
char *ahead_piece(struct ahead *ahead, size_t *n);

/* Only the latest piece is still in use: read the next one. */
void ahead_go_on(struct ahead *ahead);

/* No piece is in use any more.  After that FD may be closed. */
void ahead_end(struct ahead *ahead);

#endif
