/*
 * exclude.h -- files that are never cached (SPEC 12).
 */
#ifndef READCACHE_PATH_EXCLUDE_H
#define READCACHE_PATH_EXCLUDE_H

#include "base/arena.h"

/* By the last component of PATH, whatever the case of its letters. */
bool exclude_matches(struct arena *arena, struct span path);

#endif
