/*
 * report_fold.h -- the trust along a branch, event by event.
 */
#ifndef READCACHE_INSPECT_REPORT_FOLD_H
#define READCACHE_INSPECT_REPORT_FOLD_H

#include "replay/trust.h"
#include "serve/history.h"

struct fold {
	struct arena *arena; /* private: for the trust */
	struct arena *names; /* for the events' names */
	const struct history_where *where;
	struct event *events;
	size_t n;
	size_t at; /* the next event */
	struct folding folding;
	bool stale; /* TRUST does not have all events before AT */
};

/* Begin at the point where the first AT of N events are folded in. */
void fold_begin(struct fold *fold, struct event *events, size_t n, size_t at,
    struct arena *names);

/* The next event, with its name filled in; and the trust before it. */
struct event *fold_peek(struct fold *fold);
struct trust *fold_trust(struct fold *fold);

enum fold_step {
	FOLD_NOTHING,
	FOLD_SET,    /* what the event says is trusted now */
	FOLD_VOIDED  /* some things may not be trusted any more */
};

/* Fold the next event in.  That may be delayed until the trust is asked for. */
void fold_skip(struct fold *fold);

/*
 * Fold the next event in.  If its base is not trusted, its doubt says so
 * afterwards.
 */
enum fold_step fold_next(struct fold *fold);

#endif
