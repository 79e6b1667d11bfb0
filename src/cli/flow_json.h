/*
 * flow_json.h -- a run of a workflow as JSON.
 */
#ifndef READCACHE_CLI_FLOW_JSON_H
#define READCACHE_CLI_FLOW_JSON_H

#include "cli/flow.h"

/*
 * Write {"v":1,"flow","run","status","nodes":[{"id","type","status",...}]},
 * with the values of nodes that have one.
 */
void cli_flow_json_run(struct cli *cli, const struct flow_run *run);

/* Write the members of node I, without braces: "id","type","status",... */
void cli_flow_json_node(struct buf *out, const struct flow_run *run, size_t i);

/* "completed", "failed", "blocked", "stale" or "cached". */
const char *cli_flow_json_status(const struct flow_run *run);

#endif
