/*
 * work.h -- what all stages of one process share.
 */
#ifndef READCACHE_STAGE_WORK_H
#define READCACHE_STAGE_WORK_H

#include "blob/checkout.h"
#include "store/store.h"

struct state;

struct work {
	struct arena *arena;
	struct store *store;
	struct state *state;	     /* NULL: go without the accelerator */
	struct span root;	     /* of the project: absolute, normalized */
	struct checkout_modes modes; /* how outputs are brought back */
};

#endif
