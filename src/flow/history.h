/*
 * history.h -- what the session's branch proves: load it and fold it.
 */
#ifndef READCACHE_FLOW_HISTORY_H
#define READCACHE_FLOW_HISTORY_H

#include "replay/trust.h"
#include "wire/request.h"

struct history {
	struct branch branch;
	struct trust *trust;
};

/* FOCUS: the only file that matters, or NULL for all. */
struct history history_load(struct arena *arena,
    const struct request *request, const struct focus *focus);

#endif
