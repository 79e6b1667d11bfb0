/*
 * outputs.h -- a stage's outputs in the tree.
 */
#ifndef READCACHE_WORK_STAGE_OUTPUTS_H
#define READCACHE_WORK_STAGE_OUTPUTS_H

#include "work/stage/inputs.h"

/*
 * What stands for an output that nobody can read, or that is to be kept and
 * could not come back; equal to no content.
 */
#define OUTPUT_UNKNOWN SPAN("unknown")

/* The contents of all outputs of STAGE now, sorted. */
struct facts outputs_look(struct work *work, const struct stage *stage);

/*
 * The first output of STAGE that is not in FACTS or is absent there; false:
 * none is.
 */
bool outputs_missing(struct work *work, const struct stage *stage,
    const struct facts *facts, struct span *which);

/* The first output among FACTS that is unknown; false: none is. */
bool outputs_unknown(const struct facts *facts, struct span *which);

/* An output that is to be brought back; its blobs were checked. */
struct due {
	struct span path;
	struct content content;
	struct manifest manifest;
};

/* Bring back N of them.  False: *WHICH could not be, errno tells. */
bool outputs_restore(
    struct work *work, const struct due *dues, size_t n, struct span *which);

/*
 * Keep those that are to be kept as blobs.  False: *WHICH could not be, errno
 * tells.
 */
bool outputs_keep(struct work *work, const struct stage *stage,
    const struct facts *outputs, struct span *which);

/* From now on all of them are something else (generation.h). */
void outputs_bump(struct work *work, const struct stage *stage);

#endif
