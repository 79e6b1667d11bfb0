/*
 * only.h -- one node of a workflow, with what the others gave last time.
 */
#ifndef READCACHE_WORK_WORKFLOW_ONLY_H
#define READCACHE_WORK_WORKFLOW_ONLY_H

#include "work/workflow/engine.h"

/*
 * Make everything but the wanted node of RUN as it ended in the session: the
 * nodes above are not asked, not even whether they are up to date.  NULL, or
 * a sentence if their results are not there.
 */
const char *only_prepare(struct flow_run *run);

#endif
