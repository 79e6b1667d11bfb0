/*
 * write_all.h -- all of it, or an error.
 */
#ifndef READCACHE_BASE_WRITE_ALL_H
#define READCACHE_BASE_WRITE_ALL_H

#include "base/span.h"

/* False: errno tells. */
bool write_all(int fd, struct span bytes);

#endif
