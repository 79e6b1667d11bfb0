/*
 * report_fold.h -- the trust of a branch, event by event.
 */
#ifndef READCACHE_INSPECT_REPORT_FOLD_H
#define READCACHE_INSPECT_REPORT_FOLD_H

#include "replay/trust.h"
#include "serve/history.h"

struct fold {
	struct arena *arena; /* its own: of the trust as it stands */
	struct arena *names; /* of the events */
	const struct history_where *where;
	struct event *events;
	size_t n;
	size_t at; /* the event that comes next */
	struct folding folding;
	bool stale; /* it does not have all before AT in it */
};

/* Be where the first AT of N events are folded in. */
void fold_begin(struct fold *fold, struct event *events, size_t n, size_t at,
    struct arena *names);

/* The next event, with its name filled in, and the trust before it. */
struct event *fold_peek(struct fold *fold);
struct trust *fold_trust(struct fold *fold);

enum fold_step {
	FOLD_NOTHING,
	FOLD_SET,    /* what the event says is trusted */
	FOLD_VOIDED  /* things may be trusted no more */
};

/* Fold it in; that may be left to when the trust is asked for. */
void fold_skip(struct fold *fold);

/* Fold it in.  One that met no guard has that as its doubt afterwards. */
enum fold_step fold_next(struct fold *fold);

#endif
