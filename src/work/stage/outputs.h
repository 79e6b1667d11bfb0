/*
 * outputs.h -- a stage's outputs in the tree.
 */
#ifndef READCACHE_WORK_STAGE_OUTPUTS_H
#define READCACHE_WORK_STAGE_OUTPUTS_H

#include "work/stage/inputs.h"

/*
 * The value of an output that cannot be read, or that is to be kept but could
 * not be brought back.  It is not equal to any content.
 */
#define OUTPUT_UNKNOWN SPAN("unknown")

/* The contents of all outputs of STAGE now, as sorted facts. */
struct facts outputs_look(struct work *work, const struct stage *stage);

/*
 * Is an output of STAGE missing in FACTS, or absent there?  Then *WHICH is the
 * first such output.
 */
bool outputs_missing(struct work *work, const struct stage *stage,
    const struct facts *facts, struct span *which);

/* Is an output among FACTS unknown?  Then *WHICH is the first such output. */
bool outputs_unknown(const struct facts *facts, struct span *which);

/* An output that is to be brought back.  Its blobs were checked. */
struct due {
	struct span path;
	struct content content;
	struct manifest manifest;
};

/*
 * Bring back N outputs.  False if *WHICH could not be brought back: see errno.
 */
bool outputs_restore(
    struct work *work, const struct due *dues, size_t n, struct span *which);

/*
 * Keep as blobs the outputs of STAGE that are to be kept.  False if *WHICH
 * could not be kept: see errno.
 */
bool outputs_keep(struct work *work, const struct stage *stage,
    const struct facts *outputs, struct span *which);

/* Note that all outputs of STAGE change (generation.h). */
void outputs_bump(struct work *work, const struct stage *stage);

#endif
