/*
 * index_open.h -- a session file of pi as a tree (session/index.h).
 *
 * Versions 1 (linear, no ids) to 3 are understood.  As for pi, a line that is
 * not JSON is not an entry.
 */
#ifndef READCACHE_HOST_PI_INDEX_OPEN_H
#define READCACHE_HOST_PI_INDEX_OPEN_H

#include "session/index.h"

/* Read the session file PATH.  ARENA owns its descriptor from then on. */
enum index_open index_open(struct arena *arena, struct span path,
    index_progress *progress, void *context, struct index *index);

/* The time of an entry, as it was written; empty if it has none. */
struct span index_time(
    const struct index *index, uint32_t node, struct arena *arena);

#endif
