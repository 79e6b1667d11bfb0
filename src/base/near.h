/*
 * near.h -- the name that was probably meant.
 */
#ifndef READCACHE_BASE_NEAR_H
#define READCACHE_BASE_NEAR_H

#include <stddef.h>

#include "base/span.h"

/*
 * The one of the N NAMES that NAME was probably meant to be.  It differs by at
 * most two mistakes: a letter missing, added or replaced, or two neighbours
 * swapped.  NULL if no name is near.
 */
const struct span *near_name(
    struct span name, const struct span *names, size_t n);

#endif
