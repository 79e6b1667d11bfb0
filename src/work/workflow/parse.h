/*
 * parse.h -- from a workflow file's text to a struct workflow.
 *
 * Strict: an unknown member, a member of the wrong kind or one that is there
 * twice is a mistake, with what was probably meant.  Whether the nodes fit each
 * other is checked in check.h.
 */
#ifndef READCACHE_WORK_WORKFLOW_PARSE_H
#define READCACHE_WORK_WORKFLOW_PARSE_H

#include "work/workflow/mistake.h"
#include "work/workflow/workflow.h"

/*
 * Read TEXT, the content of FILE (a name for messages).  What cannot be read
 * is noted in MISTAKES.  The result points into TEXT.
 */
void parse_workflow(struct arena *arena, struct span file, struct span text,
    struct workflow *workflow, struct mistakes *mistakes);

#endif
