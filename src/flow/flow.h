/*
 * flow.h -- a request in, a response out.
 *
 * The only folder that knows the order of the stages.  Each function appends
 * one response line to OUT.  What is left to do when that is written is told
 * by UPKEEP.
 */
#ifndef READCACHE_FLOW_FLOW_H
#define READCACHE_FLOW_FLOW_H

#include "base/buf.h"
#include "config/config.h"
#include "flow/upkeep.h"
#include "wire/request.h"

/* The exit statuses of the one-shot form (SPEC 2.2). */
enum outcome { OUTCOME_OK = 0, OUTCOME_FAILED = 1, OUTCOME_UNUSABLE = 2 };

/*
 * Any request: TEXT as it came from the host.  MEMORY is the process's, NULL
 * if it serves one request only.
 */
enum outcome flow_answer(struct arena *arena, struct memory *memory,
    struct span text, struct buf *out, struct upkeep *upkeep);

enum outcome flow_read(struct arena *arena, const struct request *request,
    struct buf *out, struct upkeep *upkeep);
enum outcome flow_refresh(struct arena *arena, const struct request *request,
    struct buf *out);
enum outcome flow_status(struct arena *arena, const struct request *request,
    struct buf *out);

/* The store of a request: where it says, or where the settings do. */
struct store flow_store(struct arena *arena, const struct request *request,
    const struct config *config);

#endif
