/*
 * flow_go_on.h -- how to continue a run that did not come to its end.
 *
 * Command lines are printed so that they can be pasted into a shell.
 */
#ifndef READCACHE_CLI_FLOW_GO_ON_H
#define READCACHE_CLI_FLOW_GO_ON_H

#include "cli/flow.h"

/* Print how to give each missing approval; on standard error if quiet. */
void cli_flow_tell_approvals(
    struct flow_task *task, const struct flow_run *run);

/*
 * After a failure: write the output so far, then print on standard error how
 * to continue.  The result is the exit status.
 */
int cli_flow_tell_resume(struct flow_task *task, const struct flow_run *run);

/* Print what failed or is blocked, for a quiet run, which has not shown it. */
void cli_flow_tell_troubles(struct flow_task *task, const struct flow_run *run);

#endif
