/*
 * copy.h -- the bytes of one file in another.
 */
#ifndef READCACHE_OS_COPY_H
#define READCACHE_OS_COPY_H

#include "base/digest.h"

/*
 * All of FROM into TO, which is empty: shared if the file system can do
 * that, else copied inside the kernel, else by hand.  False: errno tells.
 */
bool copy_bytes(int from, int to);

/* The same by hand, and what their hash is. */
bool copy_and_hash(int from, int to, struct digest *hash);

#endif
