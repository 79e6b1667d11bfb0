/*
 * inner.h -- a node that is a workflow.
 */
#ifndef READCACHE_WORK_WORKFLOW_INNER_H
#define READCACHE_WORK_WORKFLOW_INNER_H

#include "work/workflow/engine.h"

/* Run the workflow of node I; its value is that of its last node.  False:
 * nodes[i].error says why. */
bool inner_run(struct flow_run *run, size_t i);

/*
 * The same for one whose nodes must be looked at in every run: it is reused
 * if all of them are.  Sets the node's outcome.
 */
void inner_enter(struct flow_run *run, size_t i);

/* engine.c: make a run, and do it. */
struct flow_run *engine_begin(struct engine *engine,
    const struct bundle *bundle, const struct given_input *given, size_t ngiven,
    const char **why);
void engine_go(struct flow_run *run);

#endif
