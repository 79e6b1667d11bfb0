/*
 * arena.h -- the memory of one request.
 *
 * Everything made while a request is served lives in its arena and is released
 * by one arena_reset.  A caller never sees an allocation fail.  When the arena
 * is exhausted (it reached its limit, or the system has no memory left),
 * control jumps back to the arena's guard, and the request is given up.  Giving
 * up is always a correct answer here: the host then reads the file itself.
 *
 * Giving up leaks nothing.  The reset closes the descriptors given to
 * arena_own_fd and calls the functions given to arena_at_reset.
 */
#ifndef READCACHE_BASE_ARENA_H
#define READCACHE_BASE_ARENA_H

#include <setjmp.h>
#include <stddef.h>

#include "base/span.h"

struct arena;

/* Make an arena that gives out at most LIMIT bytes.  NULL: out of memory. */
struct arena *arena_new(size_t limit);

/*
 * Make an arena for what is needed only for a while: reset it as often as you
 * like.  When it is exhausted, control goes to the guard of PARENT.  It ends
 * with the next reset or release of PARENT.
 */
struct arena *arena_scratch(struct arena *parent);

/* Release the arena and everything it owns.  NULL is allowed. */
void arena_free(struct arena *arena);

/* Release everything allocated and close every descriptor it owns. */
void arena_reset(struct arena *arena);

/*
 * The place that exhaustion jumps to.  Set it before the first allocation of a
 * request:  if (setjmp(*arena_guard(a)) != 0) give_up();
 */
jmp_buf *arena_guard(struct arena *arena);

/* SIZE bytes, aligned for any type, not cleared. */
void *arena_alloc(struct arena *arena, size_t size);

/* Room for COUNT things of SIZE bytes, cleared. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* What arena_more does when there is no room. */
void *arena_grow(struct arena *arena, void *list, size_t n, size_t *room,
    size_t size);

/*
 * Make room for one more thing of SIZE bytes after the N things in LIST, which
 * has room for *ROOM.  Returns LIST itself, or a larger copy of it whose unused
 * part is cleared; *ROOM is then larger too.
 */
static inline void *
arena_more(
    struct arena *arena, void *list, size_t n, size_t *room, size_t size)
{
	return n < *room ? list : arena_grow(arena, list, n, room, size);
}

/* A copy of S that ends with a NUL. */
char *arena_cstr(struct arena *arena, struct span s);

/*
 * Give FD to the arena, which closes it at the next reset.  An arena holds at
 * most 16 descriptors; for one more, FD is closed and the arena is exhausted.
 */
void arena_own_fd(struct arena *arena, int fd);

/* Close FD, which the arena owns, before the reset does. */
void arena_close_fd(struct arena *arena, int fd);

/*
 * Call END with WHAT at the next reset or release, before descriptors are
 * closed and memory is released.  What was added last is called first.
 */
void arena_at_reset(struct arena *arena, void (*end)(void *what), void *what);

#endif
