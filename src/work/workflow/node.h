/*
 * node.h -- one node's way through a run: decide, work, end.
 */
#ifndef READCACHE_WORK_WORKFLOW_NODE_H
#define READCACHE_WORK_WORKFLOW_NODE_H

#include "work/workflow/engine.h"

/*
 * Node I, whose parents have ended well: reuse its result, or begin to work
 * (OUTCOME_WORKING until node_finish).  False: another process is at it; ask
 * again later.
 */
bool node_begin(struct flow_run *run, size_t i);

/* The command of node I has ended; it may have another one to run. */
void node_finish(struct flow_run *run, size_t i);

/* Microseconds of a clock that is not set. */
uint64_t node_clock_us(void);

#endif
