/*
 * run_args.h -- the arguments of `readcache run`, as a stage.
 */
#ifndef READCACHE_CLI_RUN_ARGS_H
#define READCACHE_CLI_RUN_ARGS_H

#include "cli/cli.h"
#include "stage/stage.h"

struct run_args {
	struct stage stage; /* without cwd, input and a made-up name */
	struct stage_policy policy;
	struct checkout_modes modes;
	const char *store; /* NULL: the one in force */
	bool modes_given;
	bool stdin_given;
	bool explain, dry, help;
};

/*
 * Read ARGV.  EXEC_OURSELVES (after a message) if it cannot be meant: other
 * statuses are the command's.
 */
int run_args(struct cli *cli, int argc, char **argv, struct run_args *args);

#endif
