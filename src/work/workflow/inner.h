/*
 * inner.h -- a node that is a workflow.
 */
#ifndef READCACHE_WORK_WORKFLOW_INNER_H
#define READCACHE_WORK_WORKFLOW_INNER_H

#include "work/workflow/engine.h"

/*
 * Run the workflow of node I.  Its value is that of its last node.  False if
 * it failed: nodes[i].error says why.
 */
bool inner_run(struct flow_run *run, size_t i);

/*
 * Run the workflow of node I, whose nodes must be looked at in every run
 * (bundle_must_enter).  It counts as reused if all of them are.  Sets the
 * outcome of node I.
 */
void inner_enter(struct flow_run *run, size_t i);

/*
 * In engine.c: prepare a run (NULL and *WHY if the inputs do not fit), and do
 * it.
 */
struct flow_run *engine_begin(struct engine *engine,
    const struct bundle *bundle, const struct given_input *given, size_t ngiven,
    const char **why);
void engine_go(struct flow_run *run);

#endif
