/*
 * flow.h -- `readcache flow`: what its files share.
 */
#ifndef READCACHE_CLI_FLOW_H
#define READCACHE_CLI_FLOW_H

#include "cli/command.h"
#include "cli/store_open.h"
#include "work/stage/stage.h"
#include "work/workflow/engine.h"

/* Besides those of cli.h. */
enum { FLOW_BLOCKED = 4 };

/* Its options, as they were typed; NULL: not given. */
struct flow_given {
	const char *store, *only, *resume, *jobs;
	const char *json; /* "lines", or "" if it has no value */
	struct option_list rerun, approve;
	bool no_cache, explain, exit_code, all, force, only_missing, quiet;
};

/* What they and the other words mean. */
struct flow_arguments {
	struct engine_options options;
	struct given_input *inputs;
	size_t ninputs;
	struct span *names; /* what is no option, no action and no input */
	size_t nnames;
};

/* Everything a command of `flow` works with. */
struct flow_task {
	struct cli *cli;
	const struct flow_given *given;
	struct flow_arguments *arguments;
	struct span root; /* the current directory */
	struct store_opened opened;
	struct work work;
	struct engine engine;
	struct bundle *bundle;
};

/*
 * Find the store and load the workflow NAME, with DIR_LOOK if nothing may be
 * changed.  CLI_OK, or a status after a message.
 */
int cli_flow_open(struct flow_task *task, struct span name, enum dir_want want);

/* One after the other: the store, and the workflow. */
int cli_flow_load(struct flow_task *task, struct span name);
int cli_flow_open_store(struct flow_task *task, enum dir_want want);

/* Whatever was opened; done by cli_flow behind every command. */
void cli_flow_close(struct flow_task *task);

/* Does it want a line of JSON for each event? */
bool cli_flow_wants_lines(const struct flow_task *task);

/* The commands; names[0] is the workflow's. */
int cli_flow_run(struct flow_task *task);
int cli_flow_status(struct flow_task *task);
int cli_flow_checkout(struct flow_task *task);
int cli_flow_commit(struct flow_task *task);
int cli_flow_validate(struct flow_task *task);
int cli_flow_save(struct flow_task *task);
int cli_flow_clear(struct flow_task *task);

#endif
