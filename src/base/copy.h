/*
 * copy.h -- copy the bytes of one file to another.
 */
#ifndef READCACHE_BASE_COPY_H
#define READCACHE_BASE_COPY_H

#include "base/digest.h"

/*
 * Copy all of FROM to TO, which is empty.  The blocks are shared if the file
 * system can do that; otherwise the kernel copies; otherwise this process does.
 * False on failure: errno says why.
 */
bool copy_bytes(int from, int to);

/*
 * Copy all of FROM to TO, which is empty, in this process, and set *HASH to the
 * hash of the bytes.  False on failure: errno says why.
 */
bool copy_and_hash(int from, int to, struct digest *hash);

#endif
