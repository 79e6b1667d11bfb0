/*
 * beside.h -- replace a file as a whole.
 *
 * The new file is written beside its place, under a name that nobody uses, and
 * renamed.  So the old file is either still there or replaced.  Its other hard
 * links keep the old content, and no symbolic link is written through.
 */
#ifndef READCACHE_BASE_BESIDE_H
#define READCACHE_BASE_BESIDE_H

#include "base/arena.h"

/*
 * Write BYTES to PATH, which is relative to the directory DIR (or AT_FDCWD),
 * with the mode that the umask gives.  False: see errno; what was at PATH is
 * unchanged.
 */
bool beside_put(
    struct arena *arena, int dir, const char *path, struct span bytes);

#endif
