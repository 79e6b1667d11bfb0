/*
 * beside.h -- a whole file in the place of another one.
 *
 * It is made beside its place, under a name that nobody has, and renamed: what
 * was there before is either still there or gone, whatever other names it has,
 * and no link is written through.
 */
#ifndef READCACHE_CLI_BESIDE_H
#define READCACHE_CLI_BESIDE_H

#include "base/arena.h"

/*
 * All of BYTES at PATH, which is relative to the directory DIR (or AT_FDCWD),
 * with the mode that the umask gives; or what was there before.  False: errno
 * tells.
 */
bool beside_put(
    struct arena *arena, int dir, const char *path, struct span bytes);

#endif
