/*
 * gc.h -- keep the store within its limits.
 *
 * What was not used for too long goes, then what was used longest ago;
 * store.h says what counts as a use.  Readers and writers beside it are never
 * disturbed: an object that is gone costs a diff, a temporary file of the
 * last hour is left to its writer, and so is an object of the last hour,
 * which a read may be about to rely on.  Only files that the store has made,
 * in objects/ and tmp/, are removed.
 */
#ifndef READCACHE_STORE_GC_H
#define READCACHE_STORE_GC_H

#include "store/store.h"

enum gc_want { GC_TELL /* what would go */, GC_REMOVE };

struct gc_limits {
	uint64_t max_bytes;
	uint64_t max_days; /* since the last use */
};

struct gc_result {
	uint64_t objects, bytes; /* that were there */
	uint64_t gone, gone_bytes;
	uint64_t temps, temp_bytes; /* old temporary files that are gone */
	bool partial; /* there may be more, which could not be seen */
};

/* Old temporary files, then objects until LIMITS are kept. */
struct gc_result gc_run(struct store *store, const struct gc_limits *limits,
    enum gc_want want);

/*
 * Is it time for gc, an hour after the last one?  If so, that is noted in the
 * store, and whoever asks next is told to wait.
 */
bool gc_begin(struct store *store);

/* The same for what lies in DIR, a directory of the store. */
bool gc_begin_in(int dir);

/*
 * Is TIME within the last SECONDS?  One that lies in the future is of a
 * clock that was wrong, and must not protect a file for ever.
 */
static inline bool
gc_is_recent(time_t now, time_t time, time_t seconds)
{
	return (time <= now ? now - time : time - now) < seconds;
}

#endif
