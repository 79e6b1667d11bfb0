/*
 * history.h -- what the session's branch proves: load it and fold it.
 */
#ifndef READCACHE_SERVE_HISTORY_H
#define READCACHE_SERVE_HISTORY_H

#include "file/locate.h"
#include "replay/trust.h"
#include "serve/request.h"

struct history {
	struct branch branch;
	struct trust *trust;
};

/* FOCUS is the only file that matters; NULL: all files. */
struct history history_load(struct arena *arena,
    const struct request *request, const struct focus *focus);

/* How to understand the paths in a branch's tool calls. */
struct history_where {
	struct locate_where here; /* those of the request */
	struct dirs dirs;         /* where else calls may have been made */
};

/*
 * Fold N EVENTS, oldest first.  Afterwards an event that met no guard has
 * DOUBT_GUARD.  FOCUS is the only file that matters (NULL: all files).  Events
 * that can only void are skipped until something of that file was shown.
 */
struct trust *history_fold(struct arena *arena, struct event *events,
    size_t n, const struct history_where *where, const struct focus *focus);

/* The same fold, one event at a time. */
struct folding {
	struct arena *arena;
	struct trust *trust;
	struct map *places; /* of edits, see history.c */
	const struct history_where *where;
	const struct focus *focus;
	bool known; /* is there anything that can be voided? */
};

/* Start a fold.  WHERE and FOCUS must live as long as it. */
struct folding history_begin(struct arena *arena,
    const struct history_where *where, const struct focus *focus);

/*
 * Fold in the next event.  TRUST_CLEARED: something may no longer be trusted.
 */
enum trust_step history_next(struct folding *folding, struct event *event);

#endif
