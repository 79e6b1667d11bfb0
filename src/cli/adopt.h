/*
 * adopt.h -- cache adopt: take over a store that somebody else has made.
 */
#ifndef READCACHE_CLI_ADOPT_H
#define READCACHE_CLI_ADOPT_H

#include "cli/cli.h"

/* The store below the current directory. */
int cli_adopt(struct cli *cli);

#endif
