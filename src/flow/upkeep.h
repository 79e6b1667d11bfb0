/*
 * upkeep.h -- the store is looked after when nobody waits for it.
 *
 * A read notes that the store has grown; when its answer is written, gc is
 * run if an hour has passed since the last one.
 */
#ifndef READCACHE_FLOW_UPKEEP_H
#define READCACHE_FLOW_UPKEEP_H

#include "config/config.h"
#include "store/gc.h"

struct upkeep {
	bool due; /* false: nothing else is set */
	struct store store;
	struct gc_limits limits;
};

/* For STORE, with the limits that CONFIG has for it. */
struct upkeep upkeep_for(const struct store *store,
    const struct config *config);

/* Before the reset of ARENA, the request's. */
void upkeep_run(struct arena *arena, struct upkeep *upkeep);

#endif
