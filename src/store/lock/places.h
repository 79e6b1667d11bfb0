/*
 * places.h -- who may use which place of the file system at the same time.
 *
 * A place is an absolute name without links (path/where.h); nothing needs to be
 * there.  Whoever makes one has it, and all that is below it, alone.
 *
 * The locks are the same for all stores of a user: they are on ranges of one
 * file beside the user's key (store/key.h), "places".  They are also on the
 * file locks/places of the store, which those share who use one store and have
 * different keys, or none.  One of the two is enough.
 *
 * A place is known by 40 bits of a hash, so two of them may count as one.  Then
 * somebody waits in vain, which does no harm.
 *
 * Deadlock is impossible as long as a process takes all its places by one
 * places_take and before all other locks (lock.h): they are taken in the order
 * of their numbers, the user's file first.
 */
#ifndef READCACHE_STORE_LOCK_PLACES_H
#define READCACHE_STORE_LOCK_PLACES_H

#include "base/map.h"
#include "store/lock/lock.h"

/* The weaker use first: of two uses of one place the stronger one counts. */
enum place_use {
	PLACE_ABOVE, /* a directory above a place that is used */
	PLACE_READ,
	PLACE_MADE
};

struct place_wish {
	uint64_t number; /* of the place */
	enum place_use use;
};

/* The places that are wanted.  It lives in an arena. */
struct place_list {
	struct arena *arena;
	struct place_wish *wishes;
	size_t n, room;
	struct map *above; /* all directories that are in it already */
};

/*
 * More wishes than these should not be in a list: the kernel walks over all
 * locks of a file to add one.
 */
enum { PLACES_MANY = 1000 };

struct place_list place_list_new(struct arena *arena);

/*
 * Add the use of PLACE to LIST, and that of all directories above it.  PLACE
 * must live as long as LIST.
 */
void place_list_add(
    struct place_list *list, struct span place, enum place_use use);

/* The places that are held: by one open file for each file of locks. */
struct places_held {
	int fds[2];
	size_t n; /* of FDS; 0: nothing is held */
};

/*
 * Take all places of LIST, which is sorted by this call.  STORE says where the
 * files are.  The rest is as for lock_take, and the locks are given to no
 * command either.
 *
 * A run inside of the command of another run, whose output is in an output of
 * that one, is a part of its work: it does not wait for it.
 */
enum lock_result places_take(struct store *store, struct place_list *list,
    enum lock_wait wait, lock_waiting *waiting, void *context,
    struct places_held *held);

/* Release all places of HELD, if there are any. */
void places_release(struct places_held *held);

#endif
