/*
 * xdiff_memory.h -- where xdiff's memory comes from.
 *
 * libgit2's copy of xdiff allocates through the table git__allocator.  We
 * define that table; it takes memory from the request's arena.  A separate
 * libxdiff uses malloc and ignores the table.
 */
#ifndef READCACHE_DIFF_XDIFF_MEMORY_H
#define READCACHE_DIFF_XDIFF_MEMORY_H

#include "base/arena.h"

/* From now on take the memory of this thread from ARENA. */
void xdiff_memory_use(struct arena *arena);

#endif
