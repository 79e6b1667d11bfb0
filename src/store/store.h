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

/* Valid for one request; its descriptors belong to the request's arena. */
struct store {
	struct arena *arena;
	struct span root; /* absolute and normalized */
	struct span cwd;  /* the same; below it no link is followed */
	int objects, tmp; /* -1 until they are needed */
};

/* The store at ROOT for a request made in CWD.  Nothing is opened yet. */
struct store store_at(struct arena *arena, struct span root, struct span cwd);

/*
 * The bytes whose hash is HASH.  False if they are not there.  Bytes with
 * another hash are not there either, and are removed (T3).
 */
bool store_get(struct store *store, const struct digest *hash,
    struct span *bytes);

/* Keep BYTES, whose hash is HASH.  False if that was not possible. */
bool store_put(struct store *store, const struct digest *hash,
    struct span bytes);

struct store_stats {
	uint64_t objects, bytes;
};

struct store_stats store_stat(struct store *store);

#endif
