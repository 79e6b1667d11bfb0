/*
 * gc.h -- keep the store within its limits.
 *
 * First, objects that were not used for too long are removed.  Then, while the
 * store is too large, those that were used longest ago.  store.h says what
 * counts as a use.
 *
 * Other processes are never disturbed.  An object that is gone costs only a
 * diff.  Temporary files and objects of the last hour are left alone: somebody
 * may be writing them, or about to rely on them.  Only files that the store
 * made, in objects/ and tmp/, are removed.
 */
#ifndef READCACHE_STORE_GC_H
#define READCACHE_STORE_GC_H

#include "store/store.h"

enum gc_want { GC_TELL /* only count what would go */, GC_REMOVE };

struct gc_limits {
	uint64_t max_bytes;
	uint64_t max_days; /* since the last use */
};

struct gc_result {
	uint64_t objects, bytes; /* before gc */
	uint64_t gone, gone_bytes;
	uint64_t temps, temp_bytes; /* old temporary files removed */
	bool partial; /* some entries could not be seen */
};

/*
 * Remove old temporary files, then objects until LIMITS are met.  With GC_TELL
 * nothing is removed, and the result says what would be.  What cannot be
 * removed is not counted as gone.
 */
struct gc_result gc_run(struct store *store, const struct gc_limits *limits,
    enum gc_want want);

/*
 * Is it time for gc: an hour since the last one?  If so, the time is noted in
 * the store, and the answer is false for the next hour.
 */
bool gc_begin(struct store *store);

/*
 * Is it time for gc in DIR, a directory of the store with a stamp of its own?
 * If so, the time is noted there, and the answer is false for the next hour.
 */
bool gc_begin_in(int dir);

/*
 * Is TIME less than SECONDS away from NOW?  A time far in the future comes
 * from a wrong clock, and must not protect a file for ever.
 */
static inline bool
gc_is_recent(time_t now, time_t time, time_t seconds)
{
	return (time <= now ? now - time : time - now) < seconds;
}

#endif
