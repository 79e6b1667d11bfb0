/*
 * run_show.h -- what `readcache run` tells besides the command's own words.
 */
#ifndef READCACHE_CLI_RUN_SHOW_H
#define READCACHE_CLI_RUN_SHOW_H

#include "cli/cli.h"
#include "work/stage/stage.h"

/* "CACHED (run cache, age 6m): param lr: 0.2 -> 0.1", with a line end. */
void run_show_verdict(struct buf *out, struct cli *cli, struct span name,
    const struct verdict *verdict);

/* The verdict as members of an object, begun with the stage's name. */
void run_show_json(
    struct buf *out, struct span name, const struct verdict *verdict);

/* The rest of that object: how it ended and what it said. */
void run_show_result(struct buf *out, const struct stage_result *result);

#endif
