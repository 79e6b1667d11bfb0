/*
 * clear.h -- empty a store, and remove nothing else.
 *
 * Only regular files of this user go whose names a store gives them, where a
 * store has them: versions, records, outputs, locks of stages, sessions and
 * temporary files.  The directories that are empty then go with them.  Whatever
 * else lies there, a directory that was named by mistake or a file that
 * somebody put into the store, stays.
 */
#ifndef READCACHE_CLI_CLEAR_H
#define READCACHE_CLI_CLEAR_H

#include "store/store.h"

struct clear_result {
	uint64_t gone;	   /* files that were removed */
	uint64_t left;	   /* what is not the store's own, or could not go */
	struct span first; /* the name of one of these, below the store */
};

/* Empty STORE, which must be ours or named by its user. */
struct clear_result clear_store(struct store *store);

#endif
