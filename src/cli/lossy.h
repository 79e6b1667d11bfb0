/*
 * lossy.h -- names of files as JSON can hold them.
 */
#ifndef READCACHE_CLI_LOSSY_H
#define READCACHE_CLI_LOSSY_H

#include "base/arena.h"

/* S with U+FFFD for every byte that is not part of UTF-8. */
struct span lossy(struct arena *arena, struct span s);

#endif
