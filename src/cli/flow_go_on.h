/*
 * flow_go_on.h -- a run that did not come to its end: how to go on.
 *
 * Command lines are told so that a shell can take them as they are.
 */
#ifndef READCACHE_CLI_FLOW_GO_ON_H
#define READCACHE_CLI_FLOW_GO_ON_H

#include "cli/flow.h"

/* For every approval that is missing; on standard error if quiet. */
void cli_flow_tell_approvals(
    struct flow_task *task, const struct flow_run *run);

/* After a failure, on standard error, behind what was told so far. */
int cli_flow_tell_resume(struct flow_task *task, const struct flow_run *run);

/* What failed or is blocked, which a quiet run has not told. */
void cli_flow_tell_troubles(struct flow_task *task, const struct flow_run *run);

#endif
