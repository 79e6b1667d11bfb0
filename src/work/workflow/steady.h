/*
 * steady.h -- does what a node depends on stay the same while it works?
 *
 * Its fingerprints and the files that its params name are looked at before and
 * after the work (work/fingerprint/still.h).  If one has changed, or changed
 * and changed back, it is not known what the command saw.  The result is then
 * used for this run, but not kept.
 */
#ifndef READCACHE_WORK_WORKFLOW_STEADY_H
#define READCACHE_WORK_WORKFLOW_STEADY_H

#include "work/workflow/judge.h"

struct steady {
	struct fingerprint *fingerprints;
	size_t n;
	struct still *still; /* NULL: nothing is watched (any more) */
};

/* Node I is about to work: look at what it depends on. */
struct steady steady_begin(struct flow_run *run, size_t i);

/*
 * Node I has worked.  NULL if nothing changed, else a sentence that says what
 * changed since JUDGED was made or since steady_begin.
 */
const char *steady_end(struct flow_run *run, size_t i,
    const struct judgement *judged, struct steady *steady);

/* End STEADY without an answer. */
void steady_drop(struct steady *steady);

#endif
