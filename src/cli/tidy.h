/*
 * tidy.h -- clean up behind a command that has kept something.
 */
#ifndef READCACHE_CLI_TIDY_H
#define READCACHE_CLI_TIDY_H

#include "cli/store_open.h"

/*
 * Write the output, so that nobody waits; then, at most once an hour, bring
 * the store within its limits.  Gives STATUS, or what the output made of it.
 */
int tidy(struct cli *cli, struct store_opened *opened, int status);

#endif
