/*
 * reach.h -- does a pattern match a path?  No file is looked at.
 *
 * For paths that do not exist yet: what glob.h would find when they do.
 */
#ifndef READCACHE_WORK_FINGERPRINT_REACH_H
#define READCACHE_WORK_FINGERPRINT_REACH_H

#include "base/arena.h"

/*
 * Would PATTERN, which has no braces, match PATH or a directory above it?
 * Both are relative to the same directory.  PATH has no links and no ".." in
 * it.
 */
bool reach_finds(struct arena *arena, struct span pattern, struct span path);

#endif
