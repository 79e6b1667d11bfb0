/*
 * lock.h -- who may do what at the same time, by flock.
 *
 * A lock is a file in the store's locks/ that is never written to for its
 * meaning: only the flock on it counts, so a process that dies gives up all
 * it held, and no lock is ever stale.  The file's text is the holder's pid,
 * for the message of those who wait.
 *
 * Deadlock is impossible as long as everybody takes his locks by one
 * lock_take: they are sorted by name, and a name is taken once.
 *
 * Children never inherit a lock (O_CLOEXEC).  A second lock_take of the same
 * name in the same process waits like any other.
 */
#ifndef READCACHE_STORE_LOCK_LOCK_H
#define READCACHE_STORE_LOCK_LOCK_H

#include "base/digest.h"
#include "store/store.h"

/* Weakest first: of two wishes for one name the stronger one counts. */
enum lock_kind { LOCK_SHARED, LOCK_EXCLUSIVE };

/* What is locked: something of KIND, known by a digest of its name. */
struct lock_wish {
	struct digest name;
	enum lock_kind kind;
};

/* The name of a path, a record or anything else; WHAT keeps them apart. */
struct digest lock_name(const char *what, struct span name);

/*
 * Held by whoever writes into the store (shared), and by whoever removes
 * things that nobody may be about to use (exclusive).
 */
struct digest lock_store_name(void);

enum lock_result {
	LOCK_TAKEN,
	LOCK_BUSY, /* LOCK_TRY only: somebody else has one of them */
	LOCK_NONE, /* this place has no locks; go on without */
	LOCK_OURS  /* LOCK_WAIT only: a process that waits for us has one */
};

enum lock_wait { LOCK_TRY, LOCK_WAIT };

/* Called once, before the first wait.  HOLDER is 0 if it is not known. */
typedef void lock_waiting(void *context, long holder);

struct lock_set; /* locks that are held */

/*
 * Take all N wishes, which are sorted here.  WAITING may be NULL.  But
 * for LOCK_TAKEN nothing is held and *SET is NULL.
 */
enum lock_result lock_take(struct store *store, struct lock_wish *wishes,
    size_t n, enum lock_wait wait, lock_waiting *waiting, void *context,
    struct lock_set **set);

/* The descriptors of SET, N of them; for whoever must not outlive it. */
const int *lock_descriptors(const struct lock_set *set, size_t *n);

/* Give all of them back.  NULL is allowed. */
void lock_release(struct lock_set *set);

#endif
