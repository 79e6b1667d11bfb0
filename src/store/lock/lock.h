/*
 * lock.h -- who may do what at the same time, by flock.
 *
 * A lock is a file in the store's locks/.  Only the flock on it counts, so a
 * process that dies gives up all its locks, and no lock is ever stale.  The
 * file's text is the holder's pid, or 0; it is used in the message to those
 * who wait.  A file with a second name may be somebody's: it is not a lock, and
 * nothing is written to it.
 *
 * Deadlock is impossible as long as a process takes all its locks by one
 * lock_take: they are taken in the order of their names, and each name once.
 *
 * Commands never inherit a lock (O_CLOEXEC).  A second lock_take of the same
 * name in the same process waits like that of any other process.
 */
#ifndef READCACHE_STORE_LOCK_LOCK_H
#define READCACHE_STORE_LOCK_LOCK_H

#include "base/digest.h"
#include "store/store.h"

/* The weaker kind first: of two wishes for one name the stronger one counts. */
enum lock_kind { LOCK_SHARED, LOCK_EXCLUSIVE };

/* A lock that is wanted: its name, as lock_name makes it, and its kind. */
struct lock_wish {
	struct digest name;
	enum lock_kind kind;
};

/*
 * The name of the lock on NAME: a path, a record, ...  WHAT says which of
 * these it is, so that equal NAMEs of two kinds have different locks.
 */
struct digest lock_name(const char *what, struct span name);

/*
 * The lock of the store itself.  Whoever writes into the store holds it
 * shared.  Whoever removes what others may be about to use holds it
 * exclusively.
 */
struct digest lock_store_name(void);

enum lock_result {
	LOCK_TAKEN,
	LOCK_BUSY, /* LOCK_TRY only: somebody else has one of them */
	LOCK_NONE, /* locks cannot be used here; go on without */
	LOCK_OURS  /* LOCK_WAIT only: an ancestor of ours has one */
};

enum lock_wait { LOCK_TRY, LOCK_WAIT };

/* Called once, before the first wait.  HOLDER is a pid, or 0 if not known. */
typedef void lock_waiting(void *context, long holder);

struct lock_set; /* the locks that are held */

/*
 * Take all N locks in WISHES, which is sorted by this call.  LOCK_TRY never
 * waits.  WAITING, if not NULL, is called before the first wait.  If the
 * result is not LOCK_TAKEN, nothing is held and *SET is NULL.
 */
enum lock_result lock_take(struct store *store, struct lock_wish *wishes,
    size_t n, enum lock_wait wait, lock_waiting *waiting, void *context,
    struct lock_set **set);

/*
 * Take the exclusive lock on the file NAME in DIR, which is not the store's: it
 * is made if it is missing.  A file that holds anything but the text of a lock
 * is somebody's, and gives LOCK_NONE.  The rest is as in lock_take.
 */
enum lock_result lock_take_file(int dir, const char *name, enum lock_wait wait,
    lock_waiting *waiting, void *context, struct lock_set **set);

/* Are the files of SET still where they were?  False if SET is NULL. */
bool lock_is_current(const struct lock_set *set);

/*
 * The descriptors of SET, *N of them, for a guard that is to hold them as long
 * as commands run (work/exec/guard.h).
 */
const int *lock_descriptors(const struct lock_set *set, size_t *n);

/* Release all locks of SET, which may be NULL. */
void lock_release(struct lock_set *set);

/*
 * Remove the files of SET, which may be NULL, and release it.  The locks must
 * be exclusive.  Whoever waits for one sees that it is gone and makes another.
 */
void lock_remove(struct lock_set *set);

#endif
