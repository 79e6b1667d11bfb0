/*
 * flow_show.h -- show a run of a workflow while it happens.
 *
 * Lines go to standard output, as many at once as there are before something
 * has to be waited for.  On a terminal a status line below them shows what is
 * working now.
 */
#ifndef READCACHE_CLI_FLOW_SHOW_H
#define READCACHE_CLI_FLOW_SHOW_H

#include "cli/flow.h"
#include "work/workflow/quiet.h"

struct flow_show {
	struct cli *cli;
	const struct flow_given *given;
	bool live;    /* standard output is a terminal */
	bool showing; /* the status line is shown */
	size_t ended; /* nodes that have ended, for that line */
	uint64_t began_ms;
};

/* Prepare to show the run of TASK.  Its time starts here. */
struct flow_show cli_flow_show_begin(struct flow_task *task);

/* Callbacks that show a run in SHOW. */
struct engine_listener cli_flow_show_listener(struct flow_show *show);

/* Show the end: how many nodes were reused, and how many were run. */
void cli_flow_show_end(struct flow_show *show, const struct flow_run *run);

/* Show a run in which nothing had to be done (quiet.h). */
void cli_flow_show_quiet(
    struct flow_show *show, const struct quiet_text *note);

/* Show one line for each node: would it be reused, and if not, why. */
void cli_flow_show_plan(struct flow_show *show, const struct flow_run *run);

/* Write the reasons of VERDICT, with control characters made visible. */
void cli_flow_show_reasons(struct cli *cli, const struct verdict *verdict);

/* Write the name of node I of RUN, after those of the workflows around it. */
void cli_flow_show_name(struct buf *buf, const struct flow_run *run, size_t i);

#endif
