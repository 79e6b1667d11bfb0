/*
 * aside.h -- what stands where a command is going to make its outputs.
 *
 * Before a run it is moved aside, in its own directory: b becomes
 * .b.readcache-aside.  When the command has made its outputs, what was ours
 * is removed; when it has not, whatever the reason, all of it comes back.  A
 * run that was killed in between leaves it there, and the next one that wants
 * the same output brings it back first.
 *
 * Ours is what is known by its content: it is what the stage's lock says, the
 * store has it as a blob, or a run of ours was seen to leave it.  All else is
 * somebody's work and is never removed: it becomes .b.readcache-old (then
 * -old-2 and so on), and a remark says so.
 */
#ifndef READCACHE_WORK_STAGE_ASIDE_H
#define READCACHE_WORK_STAGE_ASIDE_H

#include "work/stage/plan.h"

/* Has an earlier run left something aside of an output of PLAN? */
bool aside_is_left(const struct stage_plan *plan);

/* Put right what it left; needs the locks.  False: there was nothing. */
bool aside_recover(struct stage_plan *plan);

/* Move all outputs aside.  False: *WHICH could not be, and all are back. */
bool aside_move(struct stage_plan *plan, struct span *which);

/* The outputs are made; what they replace can go. */
void aside_drop(struct stage_plan *plan);

/* They are not: all is as it was before aside_move. */
void aside_come_back(struct stage_plan *plan);

/*
 * PATH is about to be replaced by something that is brought back: keep it if
 * it is not ours.  False: it could not be moved, errno tells.
 */
bool aside_save(struct stage_plan *plan, struct span path);

/* What a command left as its outputs, after aside_drop or aside_come_back:
 * but for what came back it is ours. */
void aside_note_ours(struct stage_plan *plan);

#endif
