/*
 * lossy.h -- names of files in a form that JSON can hold.
 */
#ifndef READCACHE_BASE_LOSSY_H
#define READCACHE_BASE_LOSSY_H

#include "base/arena.h"

/* S with U+FFFD instead of every byte that is not part of valid UTF-8. */
struct span lossy(struct arena *arena, struct span s);

#endif
