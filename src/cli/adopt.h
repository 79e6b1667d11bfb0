/*
 * adopt.h -- cache adopt: take over a store that was not made by this user.
 */
#ifndef READCACHE_CLI_ADOPT_H
#define READCACHE_CLI_ADOPT_H

#include "cli/cli.h"

/* Adopt the store of the current directory.  The result is an exit status. */
int cli_adopt(struct cli *cli);

#endif
