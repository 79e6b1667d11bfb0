/*
 * seen.h -- names that were met before.
 *
 * Eight bytes a name, so that the ids of a session of any size fit.  Names
 * are told apart by a hash: a new one may rarely be taken for a known one,
 * never the other way round.  For those who are only the more careful then.
 */
#ifndef READCACHE_BASE_SEEN_H
#define READCACHE_BASE_SEEN_H

#include "base/arena.h"

struct seen;

struct seen *seen_new(struct arena *arena);

/* False: it was there. */
bool seen_add(struct seen *seen, struct span name);
bool seen_has(const struct seen *seen, struct span name);

#endif
