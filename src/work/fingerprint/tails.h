/*
 * tails.h -- what may still follow of a pattern's alternatives at some place.
 */
#ifndef READCACHE_WORK_FINGERPRINT_TAILS_H
#define READCACHE_WORK_FINGERPRINT_TAILS_H

#include "base/arena.h"

/* Tails of patterns, none twice; the empty one: it ends here. */
struct tails {
	struct arena *arena;
	struct span *at;
	size_t n, room;
	struct map *known; /* if they are many */
};

/* TEXT, which lives longer, may follow, and what "**" at its front allows. */
void tails_add(struct tails *tails, struct span text);

/* A tail, taken apart. */
struct tail_step {
	enum { STEP_END, STEP_ANY, STEP_MAGIC, STEP_LITERAL } kind;
	struct span component, rest;
};

struct tail_step tail_step(struct span text);

/* TEXT without slashes at its front. */
struct span tail_begin(struct span text);

#endif
