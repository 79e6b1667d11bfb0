/*
 * upkeep.h -- the store is looked after when nobody waits for it.
 *
 * A read notes the version that is to be kept; when its answer is written,
 * that is done, and gc is run if the store has grown and an hour has passed
 * since the last time.
 */
#ifndef READCACHE_SERVE_UPKEEP_H
#define READCACHE_SERVE_UPKEEP_H

#include "config/config.h"
#include "store/gc.h"

struct upkeep {
	bool due; /* false: nothing else is set */
	struct store store;
	struct gc_limits limits;
	struct digest hash; /* of bytes, which are to be kept */
	struct span bytes;
};

/* What CONFIG allows STORE to hold. */
struct gc_limits upkeep_limits(const struct store *store,
    const struct config *config);

/* BYTES for STORE, with the limits that CONFIG has for it. */
struct upkeep upkeep_for(const struct store *store,
    const struct config *config, const struct digest *hash,
    struct span bytes);

/* Before the reset of ARENA, the request's. */
void upkeep_run(struct arena *arena, struct upkeep *upkeep);

#endif
