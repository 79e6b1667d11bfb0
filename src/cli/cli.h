/*
 * cli.h -- the command line: what all commands have in common.
 *
 * Data goes to standard output, by cli->out.  Messages go to standard error.
 * Nothing here asks questions.
 */
#ifndef READCACHE_CLI_CLI_H
#define READCACHE_CLI_CLI_H

#include "base/buf.h"

struct cli {
	struct arena *arena; /* for this run of the command */
	struct buf out;      /* what standard output will get */
	const char *command; /* its name, for messages */
	bool json;           /* --json was given */
	bool colour;         /* standard output may have colours */
};

/* The exit statuses of commands.  Their help says what FOUND means. */
enum { CLI_OK = 0, CLI_FOUND = 1, CLI_USAGE = 2, CLI_STORE = 3 };

/* Run what ARGV asks for.  The result is the exit status. */
int cli_main(int argc, char **argv);

/*
 * Print "readcache: SENTENCE" on standard error, and how to get the command's
 * help.  The result is CLI_USAGE.
 */
int cli_usage(const struct cli *cli, const char *sentence);

/*
 * Print a sentence made of BEFORE, WHAT and AFTER as cli_usage does.  WHAT is
 * an argument, and its control characters are made visible.
 */
int cli_complain(const struct cli *cli, const char *before, const char *what,
    const char *after);

/*
 * Print "readcache: WHAT: WHY" on standard error, with control characters made
 * visible.  The result is CLI_USAGE.
 */
int cli_unusable(const struct cli *cli, const char *what, const char *why);

/*
 * Write cli->out and empty it.  The result is STATUS, or CLI_USAGE if that
 * failed.
 */
int cli_flush(struct cli *cli, int status);

/*
 * Add S to the output, with everything that a terminal might take for a
 * command made visible.
 */
void cli_text(struct cli *cli, struct span s);

/* S for a message on standard error, with control characters made visible. */
const char *cli_visible(const struct cli *cli, const char *s);

/* The current directory.  False (and a message) if it cannot be found. */
bool cli_cwd(struct cli *cli, struct span *cwd);

#endif
