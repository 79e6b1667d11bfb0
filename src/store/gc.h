/*
 * gc.h -- keep the store within its limit.
 *
 * What goes first was used longest ago; store.h says what counts as a use.
 * Readers and writers beside it are never disturbed: an object that is gone
 * costs a diff, a temporary file of the last hour is left to its writer, and
 * so is an object of the last minute, which a read may be about to rely on.
 * Only files that the store has made, in objects/ and tmp/, are touched.
 */
#ifndef READCACHE_STORE_GC_H
#define READCACHE_STORE_GC_H

#include "store/store.h"

enum gc_want { GC_TELL /* what would go */, GC_REMOVE };

struct gc_result {
	uint64_t objects, bytes; /* that were there */
	uint64_t gone, gone_bytes;
	uint64_t temps, temp_bytes; /* old temporary files that are gone */
};

/* Old temporary files, then objects until at most MAX_BYTES are left. */
struct gc_result gc_run(struct store *store, uint64_t max_bytes,
    enum gc_want want);

/*
 * Should gc be run now that an object HASH of SIZE bytes was written?  True
 * about once in 256 objects, and about once for every 64th part of MAX_BYTES
 * that is written, whichever comes first, so that a store is seldom much over
 * its limit.  Nothing is counted or kept for that: the hash is the die.
 */
bool gc_due(const struct digest *hash, uint64_t size, uint64_t max_bytes);

#endif
