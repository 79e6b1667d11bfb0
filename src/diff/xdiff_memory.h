/*
 * xdiff_memory.h -- where xdiff's memory comes from.
 *
 * libgit2's copy of xdiff allocates through the table git__allocator, which
 * is ours: it hands out memory of the request's arena.  A libxdiff of its own
 * uses malloc and does not look at the table.
 */
#ifndef READCACHE_DIFF_XDIFF_MEMORY_H
#define READCACHE_DIFF_XDIFF_MEMORY_H

#include "base/arena.h"

/* From now on take memory from ARENA. */
void xdiff_memory_use(struct arena *arena);

#endif
