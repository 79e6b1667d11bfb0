/*
 * still.h -- does what a node depends on keep still while it works?
 *
 * Its fingerprints and the files that its params name are looked at before
 * and after the work.  If one is another then, or came back to what it was,
 * nobody knows which the command saw: the result is used for this run, but
 * not kept.
 */
#ifndef READCACHE_WORKFLOW_STILL_H
#define READCACHE_WORKFLOW_STILL_H

#include "workflow/judge.h"

/* Before the work of node I. */
struct digest still_witness(struct flow_run *run, size_t i);

/*
 * After it: NULL, or a sentence that says what has changed since JUDGED, or
 * since the witness was taken.
 */
const char *still_broken(struct flow_run *run, size_t i,
    const struct judgement *judged, const struct digest *witness);

#endif
