/*
 * inputs.h -- a stage's inputs as they are now.
 */
#ifndef READCACHE_WORK_STAGE_INPUTS_H
#define READCACHE_WORK_STAGE_INPUTS_H

#include "work/stage/facts.h"
#include "work/stage/stage.h"

struct stage_inputs {
	struct facts facts;	     /* sorted; without outputs */
	bool resolved;		     /* every one of them could be found out */
	struct span unresolved, why; /* the first that could not */
	struct digest key;	     /* if resolved */
};

/*
 * PATH as it goes into facts: relative to the work's root if it is in it,
 * else absolute; normalized.
 */
struct span input_path(const struct work *work, struct span path);

/* PATH (as input_path makes it) with the root before it. */
struct span input_absolute(const struct work *work, struct span path);

/*
 * Is a copy of OUT to be kept?  Not of what looks like a secret (exclude.h), or
 * is excluded by the user's settings: such an output is only compared.  What is
 * in a directory is as its user has named the directory.
 */
bool output_is_kept(const struct work *work, const struct stage_out *out);

/* The name of the lock on PATH, as input_path makes it. */
struct digest path_lock(const struct work *work, struct span path);

/* Look at all of them. */
struct stage_inputs inputs_look(struct work *work, const struct stage *stage);

/* The same, and STILL (work/fingerprint/still.h) notes what is met in PASS. */
struct stage_inputs inputs_look_still(struct work *work,
    const struct stage *stage, struct still *still, enum still_pass pass);

#endif
