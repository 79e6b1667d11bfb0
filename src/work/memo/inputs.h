/*
 * inputs.h -- what a kept result depended on, to say later what changed.
 *
 * It is an object in the record.  Names (of the model, the directory, the type)
 * are written as they are.  Everything else is written as its hash, so that no
 * prompt and no variable's value is written down.
 */
#ifndef READCACHE_WORK_MEMO_INPUTS_H
#define READCACHE_WORK_MEMO_INPUTS_H

#include "work/memo/memo.h"

/* The object for PHASE at PLACE with the resolved FINGERPRINTS. */
struct span inputs_write(struct arena *arena, const struct phase *phase,
    const struct called *place, const struct fingerprint *fingerprints);

/*
 * Find the latest record of the same flow and phase, and add to VERDICT what
 * is different now.  False if there is no such record, or no known difference.
 */
bool inputs_explain(struct memo *memo, const struct phase *phase,
    const struct called *place, const struct fingerprint *fingerprints,
    struct verdict *verdict);

#endif
