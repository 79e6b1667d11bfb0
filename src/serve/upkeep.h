/*
 * upkeep.h -- look after the store when nobody waits for it.
 *
 * A read notes the version that is to be stored.  After its answer is written,
 * the version is stored.  Then gc runs, if the store has grown and an hour has
 * passed since the last time.
 */
#ifndef READCACHE_SERVE_UPKEEP_H
#define READCACHE_SERVE_UPKEEP_H

#include "config/config.h"
#include "store/gc.h"

struct upkeep {
	bool due; /* false: nothing else is set */
	struct store store;
	struct gc_limits limits;
	struct digest hash; /* of bytes, which are to be stored */
	struct span bytes;
};

/* What CONFIG allows STORE to hold. */
struct gc_limits upkeep_limits(const struct store *store,
    const struct config *config);

/* Note that BYTES are to be stored in STORE, with CONFIG's limits for it. */
struct upkeep upkeep_for(const struct store *store,
    const struct config *config, const struct digest *hash,
    struct span bytes);

/*
 * Do what UPKEEP says.  Call it before the reset of ARENA, which is the
 * request's.
 */
void upkeep_run(struct arena *arena, struct upkeep *upkeep);

#endif
