/*
 * history.h -- what the session's branch proves: load it and fold it.
 */
#ifndef READCACHE_SERVE_HISTORY_H
#define READCACHE_SERVE_HISTORY_H

#include "replay/trust.h"
#include "serve/leads.h"
#include "serve/request.h"

struct history {
	struct branch branch; /* without events if it is remembered */
	const struct trust *trust;
};

/*
 * Load the branch and fold it.  FOCUS is the only file that matters; NULL: all
 * files.  What a serving process remembers of both is used.
 */
struct history history_load(struct arena *arena,
    const struct request *request, const struct focus *focus);

/*
 * Fold N EVENTS, oldest first.  Afterwards an event that met no guard has
 * DOUBT_GUARD.  FOCUS is the only file that matters (NULL: all files).  Events
 * that can only void are skipped until something of that file was shown.
 */
struct trust *history_fold(struct arena *arena, struct event *events,
    size_t n, const struct history_where *where, const struct focus *focus);

/* The same fold, one event at a time. */
struct folding {
	struct trust *trust;
	struct leads leads; /* what was asked of the file system */
	const struct focus *focus;
	bool known; /* is there anything that can be voided? */
};

/* Start a fold.  WHERE and FOCUS must live as long as it. */
struct folding history_begin(struct arena *arena,
    const struct history_where *where, const struct focus *focus);

/*
 * Fold in the next event.  If it has a path that was not asked for yet, the
 * file system is asked first.  TRUST_CLEARED: something may no longer be
 * trusted.
 */
enum trust_step history_next(struct folding *folding, struct event *event);

#endif
