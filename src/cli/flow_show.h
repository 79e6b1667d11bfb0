/*
 * flow_show.h -- a run of a workflow, told while it happens.
 *
 * Lines on standard output, as many at once as there are before something has
 * to be waited for; on a terminal a line below them tells what works now.
 */
#ifndef READCACHE_CLI_FLOW_SHOW_H
#define READCACHE_CLI_FLOW_SHOW_H

#include "cli/flow.h"
#include "work/workflow/quiet.h"

struct flow_show {
	struct cli *cli;
	const struct flow_given *given;
	bool live;    /* standard output is a terminal */
	bool showing; /* the line below is there */
	size_t ended; /* nodes, for that line */
	uint64_t began_ms;
};

struct flow_show cli_flow_show_begin(struct flow_task *task);

/* What tells SHOW about a run. */
struct engine_listener cli_flow_show_listener(struct flow_show *show);

/* The end: how many nodes were reused, how many worked. */
void cli_flow_show_end(struct flow_show *show, const struct flow_run *run);

/* A run in which nothing happened, seen at a glance. */
void cli_flow_show_quiet(
    struct flow_show *show, const struct quiet_text *note);

/* One line for each node: would it be reused, and why not. */
void cli_flow_show_plan(struct flow_show *show, const struct flow_run *run);

/* The reasons of VERDICT, made visible. */
void cli_flow_show_reasons(struct cli *cli, const struct verdict *verdict);

/* "12ms", "2.3s", "1m 5s". */
void cli_flow_show_time(struct buf *buf, uint64_t us);

/* The name of node I of RUN, behind those of the workflows around it. */
void cli_flow_show_name(struct buf *buf, const struct flow_run *run, size_t i);

#endif
