/*
 * flow.h -- what the files of `readcache flow` share.
 */
#ifndef READCACHE_CLI_FLOW_H
#define READCACHE_CLI_FLOW_H

#include "cli/command.h"
#include "cli/store_open.h"
#include "work/stage/stage.h"
#include "work/workflow/engine.h"

/* An exit status besides those of cli.h. */
enum { FLOW_BLOCKED = 4 };

/* The options as they were typed; NULL: not given. */
struct flow_given {
	const char *store, *only, *resume, *jobs;
	const char *json; /* "lines", or "" if it has no value */
	struct option_list rerun, approve;
	bool no_cache, explain, exit_code, all, force, only_missing, quiet;
};

/* What the options and the other words mean. */
struct flow_arguments {
	struct engine_options options;
	struct given_input *inputs;
	size_t ninputs;
	struct span *names; /* what is not an option, an action or an input */
	size_t nnames;
};

/* Everything that a command of `flow` works with. */
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
 * Open the store and load the workflow NAME; use DIR_LOOK if nothing may be
 * changed.  CLI_OK, or another status after a message.
 */
int cli_flow_open(struct flow_task *task, struct span name, enum dir_want want);

/* The two steps of cli_flow_open: load the workflow, and open the store. */
int cli_flow_load(struct flow_task *task, struct span name);
int cli_flow_open_store(struct flow_task *task, enum dir_want want);

/* Close what was opened.  cli_flow calls it after every command. */
void cli_flow_close(struct flow_task *task);

/* Is a line of JSON wanted for each event? */
bool cli_flow_wants_lines(const struct flow_task *task);

/* The commands.  names[0] is the workflow. */
int cli_flow_run(struct flow_task *task);
int cli_flow_status(struct flow_task *task);
int cli_flow_checkout(struct flow_task *task);
int cli_flow_commit(struct flow_task *task);
int cli_flow_validate(struct flow_task *task);
int cli_flow_save(struct flow_task *task);
int cli_flow_clear(struct flow_task *task);

#endif
