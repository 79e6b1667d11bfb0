/*
 * steady.h -- does what a node depends on keep still while it works?
 *
 * Its fingerprints and the files that its params name are looked at before
 * and after the work (work/fingerprint/still.h).  If one is another then, or
 * came back to what it was, nobody knows which the command saw: the result is
 * used for this run, but not kept.
 */
#ifndef READCACHE_WORK_WORKFLOW_STEADY_H
#define READCACHE_WORK_WORKFLOW_STEADY_H

#include "work/workflow/judge.h"

struct steady {
	struct fingerprint *fingerprints;
	size_t n;
	struct still *still; /* NULL: nothing is looked at, or no more */
};

/* Node I is about to work. */
struct steady steady_begin(struct flow_run *run, size_t i);

/*
 * It has worked: NULL, or a sentence that says what has changed since JUDGED,
 * or since the beginning.
 */
const char *steady_end(struct flow_run *run, size_t i,
    const struct judgement *judged, struct steady *steady);

/* It has not, or nobody asks. */
void steady_drop(struct steady *steady);

#endif
