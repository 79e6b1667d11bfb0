/*
 * claim.h -- nobody takes over what a run that is alive has put aside.
 *
 * Before an output is moved aside (aside.h), the run takes a lock on a file
 * beside it, .b.readcache-aside-lock, and holds it until it is over; a guard
 * holds it as long as the command works (work/exec/guard.h).  Whoever finds
 * something aside takes that lock first.  If it is not free, a run is at work
 * there: wait for it.  If it is free, that run is dead.
 *
 * The file lies where the output does, so that it is one for all spellings of
 * the place, all stores and all users' homes, and it is there without a store
 * too.  It is removed with the end of the run.
 */
#ifndef READCACHE_WORK_STAGE_CLAIM_H
#define READCACHE_WORK_STAGE_CLAIM_H

#include "base/beneath.h"
#include "work/stage/plan.h"

/* ".NAME.readcache-WHAT", or with the hash of a NAME that is too long. */
const char *claim_beside(
    struct arena *arena, const char *name, const char *what);

/*
 * Open the directory of output I of PLAN's stage.  False: see errno, as for
 * beneath_go.
 */
bool claim_place(
    const struct stage_plan *plan, size_t i, struct beneath *place);

enum claim_want {
	CLAIM_LEFT, /* the outputs of which something is aside */
	CLAIM_THERE /* also those that are there */
};

/*
 * Take the locks that WANT says and that are not held yet.  With LOCK_WAIT none
 * may be held.  LOCK_TAKEN: all that could be made are held.  LOCK_BUSY or
 * LOCK_OURS (lock.h): none is held any more.
 */
enum lock_result claim_take(struct stage_plan *plan, enum claim_want want,
    enum lock_wait wait, lock_waiting *waiting, void *context);

/* Is something of PLAN aside, or about to be? */
bool claim_is_left(const struct stage_plan *plan);

/*
 * May what lies at the place of output I, or is aside from there, be taken for
 * that of this run or of a dead one?
 */
bool claim_covers(const struct stage_plan *plan, size_t i);

/* Release all of them, and remove their files. */
void claim_release(struct stage_plan *plan);

#endif
