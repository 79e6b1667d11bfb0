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

/* FOCUS: the only file that matters, or NULL for all. */
struct history history_load(struct arena *arena,
    const struct request *request, const struct focus *focus);

/* How paths in the tool calls of a branch are understood. */
struct history_where {
	struct locate_where here; /* of the request */
	struct dirs dirs;         /* where else calls may have been made */
};

/*
 * The fold alone.  An event that met no guard has that as its doubt
 * afterwards.  FOCUS as above: before anything was shown of that file, what
 * could only void it is passed over.
 */
struct trust *history_fold(struct arena *arena, struct event *events,
    size_t n, const struct history_where *where, const struct focus *focus);

/* The same, event by event. */
struct folding {
	struct arena *arena;
	struct trust *trust;
	struct map *places; /* of edits, see history.c */
	const struct history_where *where;
	const struct focus *focus;
	bool known; /* is there anything to be voided? */
};

struct folding history_begin(struct arena *arena,
    const struct history_where *where, const struct focus *focus);

/* TRUST_CLEARED: things may be trusted no more. */
enum trust_step history_next(struct folding *folding, struct event *event);

#endif
