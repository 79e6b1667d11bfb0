/*
 * explain.h -- explain decisions to a person, on standard error.
 */
#ifndef READCACHE_CLI_EXPLAIN_H
#define READCACHE_CLI_EXPLAIN_H

#include "cli/ask.h"

/* What was served, why, and how much that saved. */
void explain_decision(struct cli *cli, const struct answer *answer);

/* Why only the host can read PATH. */
void explain_delegate(struct cli *cli, const char *path, struct span reason);

#endif
