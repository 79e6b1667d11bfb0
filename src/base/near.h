/*
 * near.h -- the name that was probably meant.
 */
#ifndef READCACHE_BASE_NEAR_H
#define READCACHE_BASE_NEAR_H

#include <stddef.h>

#include "base/span.h"

/*
 * Of the N names the one that NAME was probably meant to be: a letter or two
 * are missing, too many, others, or two of them changed their places.  NULL if
 * none is near.
 */
const struct span *near_name(
    struct span name, const struct span *names, size_t n);

#endif
