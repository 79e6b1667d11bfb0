/*
 * node.h -- one node in a run: decide, work, end.
 */
#ifndef READCACHE_WORK_WORKFLOW_NODE_H
#define READCACHE_WORK_WORKFLOW_NODE_H

#include "work/workflow/engine.h"

/*
 * Begin node I, whose parents have ended well: reuse its result, or start its
 * work (OUTCOME_WORKING until node_finish).  False if another process works on
 * it: ask again later.
 */
bool node_begin(struct flow_run *run, size_t i);

/* The command of node I has ended.  The node may start another one. */
void node_finish(struct flow_run *run, size_t i);

/* Microseconds of a clock that nobody can set. */
uint64_t node_clock_us(void);

#endif
