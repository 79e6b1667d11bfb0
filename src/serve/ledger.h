/*
 * ledger.h -- all events of a branch, found by the file they are about.
 *
 * A branch may have tens of thousands of reads, and a request is about one
 * file.  Its events are found without looking at the others.
 */
#ifndef READCACHE_SERVE_LEDGER_H
#define READCACHE_SERVE_LEDGER_H

#include "base/map.h"
#include "session/events.h"

struct ledger {
	struct arena *arena;
	struct focus everything; /* the focus of events: every file */
	struct events events;    /* oldest first; after adding, ledger_enter */
	size_t entered;          /* how many of them can be found */
	struct map *last;        /* path or name -> its last link */
	struct link *links;      /* see ledger.c */
	size_t nlinks, room;
};

/*
 * Make an empty ledger.  LEFT_OUT: the host may leave out texts that it
 * checked.  Do not move the ledger in memory once it is used.
 */
void ledger_init(struct ledger *ledger, struct arena *arena, bool left_out);

/* Make the events that were added since the last call findable. */
void ledger_enter(struct ledger *ledger);

/* Forget all events after the first N, and go back to TURN. */
void ledger_cut(struct ledger *ledger, size_t n, struct turn turn);

/*
 * Copy the events that may be about the file in FOCUS to TO, oldest first; all
 * events if FOCUS is NULL.  The first FROM events are left out.  The ledger
 * keeps their texts.
 */
void ledger_find(const struct ledger *ledger, const struct focus *focus,
    size_t from, struct events *to);

#endif
