/*
 * run_show.h -- what `readcache run` prints besides the command's output.
 */
#ifndef READCACHE_CLI_RUN_SHOW_H
#define READCACHE_CLI_RUN_SHOW_H

#include "cli/cli.h"
#include "work/stage/stage.h"

/* Write "CACHED (run cache, age 6m): param lr: 0.2 -> 0.1" and a line end. */
void run_show_verdict(struct buf *out, struct cli *cli, struct span name,
    const struct verdict *verdict);

/* Write the stage's name and the verdict as members of a JSON object. */
void run_show_json(
    struct buf *out, struct span name, const struct verdict *verdict);

/* Write the other members of that object: how it ended, and its output. */
void run_show_result(struct buf *out, const struct stage_result *result);

#endif
