/*
 * check.h -- does a workflow make sense?
 *
 * Everything that can be known before the first command is run is told then:
 * a name that nobody has, a circle, a gate whose verdict would be reused.
 */
#ifndef READCACHE_WORK_WORKFLOW_CHECK_H
#define READCACHE_WORK_WORKFLOW_CHECK_H

#include "work/workflow/graph.h"
#include "work/workflow/mistake.h"

/* Note in MISTAKES what is wrong with WORKFLOW, the content of FILE. */
void check_workflow(struct workflow *workflow, const struct graph *graph,
    struct span file, struct mistakes *mistakes);

/*
 * Why NODE's result must not be taken from another run, or NULL.  Asked when
 * a file is checked, and once more when a result is about to be reused.
 */
const char *check_sharing(const struct node *node);

#endif
