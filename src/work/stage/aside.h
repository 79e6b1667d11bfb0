/*
 * aside.h -- move away what is where a command will make its outputs.
 *
 * Before a run the old outputs are moved aside, in their own directory: b
 * becomes .b.readcache-aside.  If the command has made its outputs, old ones
 * that are ours are removed.  If not, for whatever reason, all of them come
 * back.  A run that was killed leaves them aside, and the next run that wants
 * the same output brings them back first.  How it knows that the other run is
 * dead: claim.h.
 *
 * What is ours is decided by content: it is what the stage's lock says, or the
 * store has it as a blob, or a run of ours was seen to leave it.  Everything
 * else is somebody's work and is never removed: it is renamed to
 * .b.readcache-old (then -old-2 and so on), and a remark says so.
 */
#ifndef READCACHE_WORK_STAGE_ASIDE_H
#define READCACHE_WORK_STAGE_ASIDE_H

#include "work/stage/plan.h"

/*
 * Bring back or remove what an earlier run left aside.  The locks and
 * the claims must be held (claim.h); what could not be claimed stays.  False if
 * there was nothing.
 */
bool aside_recover(struct stage_plan *plan);

/*
 * Move all outputs aside.  False if *WHICH could not be moved: see errno, and
 * all are back in their places.
 */
bool aside_move(struct stage_plan *plan, struct span *which);

/*
 * The outputs are made: remove old ones that are ours or did not change, and
 * keep all others (as .b.readcache-old).
 */
void aside_drop(struct stage_plan *plan);

/*
 * The outputs were not made: put everything back as it was before aside_move.
 */
void aside_come_back(struct stage_plan *plan);

/*
 * PATH is about to be replaced by an output from the store.  If it is not
 * ours, move it to a name where it is kept.  Of PLAN only the work, and the
 * name of the stage and its flow, are needed.  False if that was not possible:
 * see errno.
 */
bool aside_save(struct stage_plan *plan, struct span path);

/*
 * Note that what the command left as its outputs is ours, except what came
 * back.  Call it after aside_drop or aside_come_back.
 */
void aside_note_ours(struct stage_plan *plan);

#endif
