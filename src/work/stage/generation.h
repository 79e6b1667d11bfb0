/*
 * generation.h -- a quick way to see that nothing happened.
 *
 * Every path has a generation: a number that is increased when a stage is
 * about to make the path, or when it is brought back or committed.  After a
 * success a stage notes its key, the generations of all its paths, and the
 * state of its outputs and its lock.  If all of that is still as noted, and no
 * file had to be read to see it, the stage need not read its lock.
 *
 * All of this is kept in the state.  Without it stages are compared by their
 * locks, with the same result.
 */
#ifndef READCACHE_WORK_STAGE_GENERATION_H
#define READCACHE_WORK_STAGE_GENERATION_H

#include "work/stage/inputs.h"

/* Note that PATH (as input_path makes it) changes. */
void generation_bump(struct work *work, struct span path);

/* What a stage notes after a success. */
struct generation_note {
	struct digest key;     /* of its inputs */
	struct digest outputs; /* digest of the contents of its outputs */
	struct digest paths;   /* digest of the generations of all its paths */
	int64_t lock[4];       /* inode, size, mtime and ctime of its lock */
	struct lifetime life;  /* of its record */
};

/*
 * Make the note for STAGE as things are now, with the inputs IN, the facts
 * OUTPUTS, and the LIFE of the record.  False if there is no state or no lock.
 */
bool generation_now(struct work *work, const struct stage *stage,
    const struct stage_inputs *in, const struct facts *outputs,
    struct lifetime life, struct generation_note *note);

/* The last note that STAGE left.  False if there is none. */
bool generation_noted(
    struct work *work, const struct stage *stage, struct generation_note *note);

/* Are A and B the same, except the LIFE of the record? */
bool generation_same(
    const struct generation_note *a, const struct generation_note *b);

/* Store NOTE for STAGE at the next flush of the state. */
void generation_leave(struct work *work, const struct stage *stage,
    const struct generation_note *note);

#endif
