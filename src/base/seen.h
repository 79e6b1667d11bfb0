/*
 * seen.h -- a set of names.
 *
 * A name costs eight bytes, so that the ids of a session of any size fit.  Only
 * a hash of each name is kept.  So a new name may, rarely, be taken for a known
 * one, but never the other way round.  Use it only where a false positive is
 * safe.
 */
#ifndef READCACHE_BASE_SEEN_H
#define READCACHE_BASE_SEEN_H

#include "base/arena.h"

struct seen;

struct seen *seen_new(struct arena *arena);

/* Add NAME.  False if it was there before. */
bool seen_add(struct seen *seen, struct span name);
/* Was NAME added? */
bool seen_has(const struct seen *seen, struct span name);

#endif
