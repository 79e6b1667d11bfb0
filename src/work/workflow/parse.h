/*
 * parse.h -- read the text of a workflow file into a struct workflow.
 *
 * It is strict: an unknown member, a member of the wrong type, or one that
 * comes twice is a fault, and the message suggests what was probably meant.
 * Whether the nodes fit together is checked in check.h.
 */
#ifndef READCACHE_WORK_WORKFLOW_PARSE_H
#define READCACHE_WORK_WORKFLOW_PARSE_H

#include "work/workflow/flow_fault.h"
#include "work/workflow/workflow.h"

/*
 * Read TEXT, the content of FILE (a name for messages).  What cannot be read
 * is added to FAULTS.  The result points into TEXT.
 */
void parse_workflow(struct arena *arena, struct span file, struct span text,
    struct workflow *workflow, struct flow_faults *faults);

#endif
