/*
 * tidy.h -- clean up after a command that has kept something.
 */
#ifndef READCACHE_CLI_TIDY_H
#define READCACHE_CLI_TIDY_H

#include "cli/store_open.h"

/*
 * Write the output, so that nobody waits for what follows.  Then, at most once
 * an hour, bring the store within its limits.  The result is STATUS, or
 * CLI_USAGE if the output could not be written.
 */
int tidy(struct cli *cli, struct store_opened *opened, int status);

#endif
