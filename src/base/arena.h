/*
 * arena.h -- the memory of one request.
 *
 * Everything born while a request is served lives in its arena and dies in
 * one arena_reset.  Allocation cannot fail where it is asked for: when the
 * arena is exhausted (its limit, or the system's), control goes back to the
 * arena's guard, where the request is given up.  That is sound because
 * giving up is always a correct answer here: the host then reads the file
 * itself.
 *
 * Descriptors handed to arena_own_fd are closed by the reset, and what else
 * must end then is told to arena_at_reset, so that giving up leaks nothing.
 */
#ifndef READCACHE_BASE_ARENA_H
#define READCACHE_BASE_ARENA_H

#include <setjmp.h>
#include <stddef.h>

#include "base/span.h"

struct arena;

/* Make an arena that gives out at most LIMIT bytes.  NULL: no memory. */
struct arena *arena_new(size_t limit);

/*
 * Room for what is needed only for a while: reset it as often as you like.
 * Its exhaustion is that of PARENT, whose reset or release ends it too.
 */
struct arena *arena_scratch(struct arena *parent);

/* Release it and all it owns.  NULL is allowed. */
void arena_free(struct arena *arena);

/* Forget everything allocated, close every descriptor owned. */
void arena_reset(struct arena *arena);

/*
 * Where exhaustion leads:  if (setjmp(*arena_guard(a)) != 0) give_up();
 * Must be set before the first allocation of a request.
 */
jmp_buf *arena_guard(struct arena *arena);

/* SIZE bytes, aligned for any type, not cleared. */
void *arena_alloc(struct arena *arena, size_t size);

/* Room for COUNT things of SIZE bytes, cleared. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/*
 * Room for one more thing of SIZE bytes behind the N in LIST, which has *ROOM:
 * LIST itself, or a larger copy of it, whose rest is cleared.
 */
void *arena_more(struct arena *arena, void *list, size_t n, size_t *room,
    size_t size);

/* A copy of S with a NUL behind it. */
char *arena_cstr(struct arena *arena, struct span s);

/*
 * Give FD to the arena; it is closed by the next reset, if not before.  More
 * than 16 at a time are exhaustion.
 */
void arena_own_fd(struct arena *arena, int fd);

/* Close FD, which the arena owns, now. */
void arena_close_fd(struct arena *arena, int fd);

/*
 * At the next reset or release call END with WHAT: before descriptors are
 * closed and memory goes, the latest first.
 */
void arena_at_reset(struct arena *arena, void (*end)(void *what), void *what);

#endif
