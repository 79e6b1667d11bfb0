/*
 * outputs.h -- a stage's outputs in the tree.
 */
#ifndef READCACHE_STAGE_OUTPUTS_H
#define READCACHE_STAGE_OUTPUTS_H

#include "stage/inputs.h"

/* What stands for an output that nobody can read; equal to no content. */
#define OUTPUT_UNKNOWN SPAN("unknown")

/* The contents of all outputs of STAGE now, sorted. */
struct facts outputs_look(struct work *work, const struct stage *stage);

/*
 * The first output of STAGE that is not in FACTS or is absent there; false:
 * none is.
 */
bool outputs_missing(struct work *work, const struct stage *stage,
    const struct facts *facts, struct span *which);

/*
 * Make those outputs that are not as WANTED says what it says, after all
 * their blobs were checked.  False if one could not: *WHICH, and errno is 0 if
 * it is not in the store any more.
 */
bool outputs_restore(struct work *work, const struct stage *stage,
    const struct facts *now, const struct facts *wanted, struct span *which);

/* Remove all of them.  False: *WHICH could not be, errno tells. */
bool outputs_remove(
    struct work *work, const struct stage *stage, struct span *which);

/*
 * Keep those that are to be kept as blobs.  False: *WHICH could not be, errno
 * tells.
 */
bool outputs_keep(struct work *work, const struct stage *stage,
    const struct facts *outputs, struct span *which);

/* From now on all of them are something else (generation.h). */
void outputs_bump(struct work *work, const struct stage *stage);

#endif
