#include "serve/upkeep.h"

struct gc_limits
upkeep_limits(const struct store *store, const struct config *config)
{
	return (struct gc_limits){
	    .max_bytes = config_store_limit(config, store->root,
		LIMIT_STORE_BYTES),
	    .max_days = config_store_limit(config, store->root,
		LIMIT_STORE_DAYS),
	};
}

struct upkeep
upkeep_for(const struct store *store, const struct config *config,
    const struct digest *hash, struct span bytes)
{
	return (struct upkeep){
	    .due = true,
	    .store = *store,
	    .limits = upkeep_limits(store, config),
	    .hash = *hash,
	    .bytes = bytes,
	};
}

void
upkeep_run(struct arena *arena, struct upkeep *upkeep)
{
	if (!upkeep->due)
		return;
	if (setjmp(*arena_guard(arena)) != 0)
		return; /* out of memory: gc is tried again after an hour */
	if (store_put(&upkeep->store, &upkeep->hash, upkeep->bytes) ==
		STORED_NOW &&
	    gc_begin(&upkeep->store))
		(void)gc_run(&upkeep->store, &upkeep->limits, GC_REMOVE);
}
