/*
 * run_args.h -- the arguments of `readcache run`, as a stage.
 */
#ifndef READCACHE_CLI_RUN_ARGS_H
#define READCACHE_CLI_RUN_ARGS_H

#include "cli/command.h"
#include "work/stage/stage.h"

/* The arguments as they were typed; NULL: not given. */
struct run_given {
	const char *name, *ttl, *modes, *store;
	struct option_list deps, code, params, env, fingerprints;
	struct option_list outs; /* --out and --out-not-kept */
	bool force, no_commit, cache_failures;
	bool stdin_given, explain, dry;
};

/* The mark of outputs that are not kept. */
enum { RUN_OUT_NOT_KEPT = 'n' };

struct run_args {
	struct stage stage; /* without cwd, input and a made-up name */
	struct stage_policy policy;
	struct checkout_modes modes; /* if they were given */
};

/*
 * Turn GIVEN and the command in WORDS into ARGS.  CLI_OK; or EXEC_OURSELVES
 * after a message, because other statuses are the command's.
 */
int run_args(struct cli *cli, const struct run_given *given, struct words words,
    struct run_args *args);

#endif
