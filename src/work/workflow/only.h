/*
 * only.h -- run one node of a workflow, with the last results of the others.
 */
#ifndef READCACHE_WORK_WORKFLOW_ONLY_H
#define READCACHE_WORK_WORKFLOW_ONLY_H

#include "work/workflow/engine.h"

/*
 * Set the parents of the wanted node of RUN to their state in the session,
 * without asking whether they are up to date, and skip all other nodes.  NULL,
 * or a sentence if a result is missing.
 */
const char *only_prepare(struct flow_run *run);

#endif
