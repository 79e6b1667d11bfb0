/*
 * ledger.h -- all events of a branch, to be found by the file they are about.
 *
 * A branch may hold tens of thousands of reads; a request is about one file.
 * What is entered once is found without passing over the rest.
 */
#ifndef READCACHE_SERVE_LEDGER_H
#define READCACHE_SERVE_LEDGER_H

#include "base/map.h"
#include "host/pi/events.h"

struct ledger {
	struct arena *arena;
	struct focus everything; /* of the events: no file in particular */
	struct events events;    /* oldest first; fill it, then ledger_enter */
	size_t entered;          /* how many of them can be found */
	struct map *last;        /* path or name -> its last link */
	struct link *links;      /* see ledger.c */
	size_t nlinks, room;
};

/*
 * An empty ledger.  LEFT_OUT: the host may have left out checked texts.  It
 * must not be moved once it is in use.
 */
void ledger_init(struct ledger *ledger, struct arena *arena, bool left_out);

/* Make the events found that were added since the last time. */
void ledger_enter(struct ledger *ledger);

/* Forget all events after the first N, and all that was said since TURN. */
void ledger_cut(struct ledger *ledger, size_t n, struct turn turn);

/*
 * Copy the events that may concern the file in FOCUS to TO, oldest first; all
 * of them if FOCUS is NULL.  The texts stay the ledger's.
 */
void ledger_find(const struct ledger *ledger, const struct focus *focus,
    struct events *to);

#endif
