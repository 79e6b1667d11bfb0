/*
 * check.h -- is a workflow valid?
 *
 * Everything that can be known before the first command runs is reported then:
 * a name that no node has, a circle, a gate whose answer would be reused.
 */
#ifndef READCACHE_WORK_WORKFLOW_CHECK_H
#define READCACHE_WORK_WORKFLOW_CHECK_H

#include "work/workflow/flow_fault.h"
#include "work/workflow/graph.h"

/* Add to FAULTS all that is wrong with WORKFLOW, the content of FILE. */
void check_workflow(struct workflow *workflow, const struct graph *graph,
    struct span file, struct flow_faults *faults);

/*
 * Why the result of NODE must not be reused from another run, as a sentence;
 * NULL if it may.  Asked when a file is checked, and again when a result is
 * about to be reused.
 */
const char *check_sharing(const struct node *node);

#endif
