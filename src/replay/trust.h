/*
 * trust.h -- what a branch proves its reader has seen (SPEC 6).
 *
 * A pure fold over events, oldest first.  It cannot fail; an event that
 * proves nothing changes nothing.
 */
#ifndef READCACHE_REPLAY_TRUST_H
#define READCACHE_REPLAY_TRUST_H

#include "base/arena.h"
#include "replay/event.h"

struct trust; /* opaque; its invariants stand in trust.c */

struct trust *trust_new(struct arena *arena);

enum trust_step { TRUST_IGNORED, TRUST_SET, TRUST_CLEARED };

/* Fold one event in.  TRUST_IGNORED is an answer, not an error. */
enum trust_step trust_apply(struct trust *trust, const struct event *event);

enum trust_find {
	TRUST_FOUND,
	TRUST_NEVER,     /* nothing proves that the scope was seen */
	TRUST_REFRESHED, /* the range was refreshed: T7 */
	TRUST_MOVED      /* the name last led to another file: T11 */
};

struct trust_base {
	struct digest hash; /* of the whole file as it was */
	uint64_t seq;       /* freshness; larger is later */
};

/* The base for SCOPE of the file PATH, asked for by NAME. */
enum trust_find trust_find(const struct trust *trust, struct span path,
    struct span name, struct scope scope, struct trust_base *base);

/* What was shown of a file: lines FIRST to LAST of the version HASH. */
struct trust_view {
	struct digest hash;
	uint64_t first, last;
};

/*
 * The parts of SCOPE that were shown after BASE in a version other than
 * BASE's (T6).  Starts with *AT == 0; false when there are no more.
 */
bool trust_newer(const struct trust *trust, struct span path,
    struct scope scope, const struct trust_base *base, size_t *at,
    struct trust_view *view);

/* How many paths and scopes are trusted now. */
void trust_count(const struct trust *trust, uint64_t *paths,
    uint64_t *scopes);

#endif
