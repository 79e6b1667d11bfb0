/*
 * flow.h -- a request in, a response out.
 *
 * The only folder that knows the order of the stages.  Each function appends
 * one response line to OUT.
 */
#ifndef READCACHE_FLOW_FLOW_H
#define READCACHE_FLOW_FLOW_H

#include "base/buf.h"
#include "config/config.h"
#include "file/known.h"
#include "flow/upkeep.h"
#include "wire/request.h"

/* The exit statuses of the one-shot form (SPEC 2.2). */
enum outcome { OUTCOME_OK = 0, OUTCOME_FAILED = 1, OUTCOME_UNUSABLE = 2 };

/* What a request is answered with, besides itself. */
struct flow {
	struct arena *arena;   /* of this request */
	struct memory *memory; /* of the process, if it serves more than one */
	struct known *known;   /* the same */
	struct upkeep upkeep;  /* what is left to do when the answer is out */
};

/* Any request: TEXT as it came from the host. */
enum outcome flow_answer(struct flow *flow, struct span text,
    struct buf *out);

enum outcome flow_read(struct flow *flow, const struct request *request,
    struct buf *out);
enum outcome flow_refresh(struct arena *arena, const struct request *request,
    struct buf *out);
enum outcome flow_expand(struct arena *arena, const struct request *request,
    struct buf *out);
enum outcome flow_status(struct arena *arena, const struct request *request,
    struct buf *out);

/* The store of a request: where it says, or where the settings do. */
struct store flow_store(struct arena *arena, const struct request *request,
    const struct config *config);

#endif
