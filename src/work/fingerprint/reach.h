/*
 * reach.h -- does a pattern name a path?  No file is looked at.
 *
 * For paths that are not there yet: what glob.h would find once they are.
 */
#ifndef READCACHE_WORK_FINGERPRINT_REACH_H
#define READCACHE_WORK_FINGERPRINT_REACH_H

#include "base/arena.h"

/*
 * Would PATTERN, without braces, find PATH or a directory on the way to it?
 * Both are relative to the same directory; no link and no ".." is in PATH.
 */
bool reach_finds(struct arena *arena, struct span pattern, struct span path);

#endif
