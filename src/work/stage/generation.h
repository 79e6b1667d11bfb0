/*
 * generation.h -- the quick way to see that nothing happened.
 *
 * Every path has a generation: a number that grows when a stage is about to
 * make the path, when it is brought back or committed.  After a success a
 * stage notes its key, the generations of all paths it has to do with, and
 * what its outputs and its lock were.  If all of that is as noted, and no
 * file had to be read to find out, the stage need not look at its lock.
 *
 * All of it lives in the state: without it stages are compared by their
 * locks, with the same outcome.
 */
#ifndef READCACHE_WORK_STAGE_GENERATION_H
#define READCACHE_WORK_STAGE_GENERATION_H

#include "work/stage/inputs.h"

/* Note that PATH (as input_path makes it) is not what it was. */
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
 * The note for STAGE as things are now: inputs IN, OUTPUTS as facts, LIFE of
 * the record.  False if there is no lock to speak of.
 */
bool generation_now(struct work *work, const struct stage *stage,
    const struct stage_inputs *in, const struct facts *outputs,
    struct lifetime life, struct generation_note *note);

/* The note STAGE has left.  False if there is none. */
bool generation_noted(
    struct work *work, const struct stage *stage, struct generation_note *note);

/* Do two notes say the same, but for the LIFE of the record? */
bool generation_same(
    const struct generation_note *a, const struct generation_note *b);

/* Leave NOTE for STAGE with the next flush of the state. */
void generation_leave(struct work *work, const struct stage *stage,
    const struct generation_note *note);

#endif
