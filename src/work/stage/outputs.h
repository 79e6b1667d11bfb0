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
 * Where the command has put an output.  No copy is made of one that is a link,
 * or that is reached by a link that leads out of the root: it could be any file
 * of the user's.  A link to a blob is an output that was brought back.
 */
enum out_place { OUT_IN_PLACE, OUT_IS_LINK, OUT_IS_ELSEWHERE };

/* The first output of STAGE that is to be kept but not in place is *WHICH. */
enum out_place outputs_place(
    struct work *work, const struct stage *stage, struct span *which);

/* Files in an output directory that are excluded, so that they are not kept. */
struct withheld {
	struct span first; /* the path of one of them */
	size_t n;
};

/*
 * Keep as blobs the outputs of STAGE that are to be kept; WITHHELD, one for
 * each output, says what is not.  False if *WHICH could not be kept: see
 * errno.
 */
bool outputs_keep(struct work *work, const struct stage *stage,
    const struct facts *outputs, struct withheld *withheld, struct span *which);

/* Note that all outputs of STAGE change (generation.h). */
void outputs_bump(struct work *work, const struct stage *stage);

#endif
