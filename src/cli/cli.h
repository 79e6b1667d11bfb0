/*
 * cli.h -- the command line: what all commands have in common.
 *
 * Data goes to standard output, by cli->out; messages go to standard error.
 * Nothing here asks questions.
 */
#ifndef READCACHE_CLI_CLI_H
#define READCACHE_CLI_CLI_H

#include "base/buf.h"

struct cli {
	struct arena *arena; /* of this run of the command */
	struct buf out;      /* what standard output will get */
	const char *command; /* its name, for messages */
	bool json;           /* --json was given */
	bool colour;         /* standard output may have colours */
};

/* The exit statuses of commands; what FOUND means stands in their help. */
enum { CLI_OK = 0, CLI_FOUND = 1, CLI_USAGE = 2, CLI_STORE = 3 };

/* Run what ARGV asks for; the exit status. */
int cli_main(int argc, char **argv);

/*
 * "readcache: SENTENCE" on standard error, with the way to the command's
 * help.  Gives CLI_USAGE.
 */
int cli_usage(const struct cli *cli, const char *sentence);

/* The same for a sentence with WHAT, an argument made visible, in it. */
int cli_complain(const struct cli *cli, const char *before, const char *what,
    const char *after);

/* "readcache: WHAT: WHY" on standard error, made visible.  Gives CLI_USAGE. */
int cli_unusable(const struct cli *cli, const char *what, const char *why);

/* Write cli->out and empty it; STATUS, or CLI_USAGE if that failed. */
int cli_flush(struct cli *cli, int status);

/* S with what a terminal might take for commands made visible. */
void cli_text(struct cli *cli, struct span s);

/* The same for a message on standard error. */
const char *cli_visible(const struct cli *cli, const char *s);

/* The current directory; false (and a message) if there is none. */
bool cli_cwd(struct cli *cli, struct span *cwd);

#endif
