/*
 * store.h -- old versions of files, by their hash (SPEC 11).
 *
 * Supporting data, never truth.  Every failure is "not there" or "not
 * stored"; nothing here can fail a read.
 */
#ifndef READCACHE_STORE_STORE_H
#define READCACHE_STORE_STORE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/digest.h"

struct store {
	struct span root; /* absolute and normalized */
	struct span cwd;  /* below it no link is followed */
};

/*
 * The bytes whose hash is HASH.  False if they are not there.  Bytes with
 * another hash are not there either, and are removed (T3).
 */
bool store_get(struct arena *arena, const struct store *store,
    const struct digest *hash, struct span *bytes);

/* Keep BYTES, whose hash is HASH.  False if that was not possible. */
bool store_put(struct arena *arena, const struct store *store,
    const struct digest *hash, struct span bytes);

struct store_stats {
	uint64_t objects, bytes;
};

struct store_stats store_stat(struct arena *arena, const struct store *store);

#endif
