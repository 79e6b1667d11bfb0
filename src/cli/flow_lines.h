/*
 * flow_lines.h -- report a run of a workflow while it happens, as a line of
 * JSON for each event (--json=lines).
 *
 *	{"event":"run","v":1,"flow","run","nodes":3}
 *	{"event":"started","id","type","reason","reasons"}
 *	{"event":"output","id","stream":"stdout","text"}   or "base64"
 *	{"event":"finished", and the members of the node in --json}
 *	{"event":"remark","id","text"}
 *	{"event":"end","run","status"}
 *
 * A node that is reused has no "started".  The output of a node comes in
 * pieces as it is written; "finished" has all of it.
 */
#ifndef READCACHE_CLI_FLOW_LINES_H
#define READCACHE_CLI_FLOW_LINES_H

#include "cli/flow.h"

/* Callbacks that report a run as lines. */
struct engine_listener cli_flow_lines_listener(struct flow_task *task);

/* Report the beginning and the end of a run. */
void cli_flow_lines_begin(struct flow_task *task);
void cli_flow_lines_end(struct flow_task *task, const struct flow_run *run);

/* Report what would be done: a line "planned" for each node, and the end. */
void cli_flow_lines_plan(struct flow_task *task, const struct flow_run *run);

#endif
