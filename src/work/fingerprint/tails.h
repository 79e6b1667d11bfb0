/*
 * tails.h -- the parts of patterns that may still follow at some place.
 */
#ifndef READCACHE_WORK_FINGERPRINT_TAILS_H
#define READCACHE_WORK_FINGERPRINT_TAILS_H

#include "base/arena.h"

/* A set of pattern tails.  The empty tail means: the pattern ends here. */
struct tails {
	struct arena *arena;
	struct span *at;
	size_t n, room;
	struct map *known; /* if there are many */
};

/*
 * Add TEXT, which must live longer than TAILS.  If it begins with "**", which
 * may match nothing, what follows is added too.
 */
void tails_add(struct tails *tails, struct span text);

/* A tail, split into its first component and the rest. */
struct tail_step {
	enum { STEP_END, STEP_ANY, STEP_MAGIC, STEP_LITERAL } kind;
	struct span component, rest;
};

struct tail_step tail_step(struct span text);

/* TEXT without slashes at its front. */
struct span tail_begin(struct span text);

#endif
