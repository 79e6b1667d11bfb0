#include "flow/upkeep.h"

struct upkeep
upkeep_for(const struct store *store, const struct config *config)
{
	return (struct upkeep){
	    .due = true,
	    .store = *store,
	    .limits =
		{
		    .max_bytes = config_store_limit(config, store->root,
			LIMIT_STORE_BYTES),
		    .max_days = config_store_limit(config, store->root,
			LIMIT_STORE_DAYS),
		},
	};
}

void
upkeep_run(struct arena *arena, struct upkeep *upkeep)
{
	if (!upkeep->due)
		return;
	if (setjmp(*arena_guard(arena)) != 0)
		return; /* no memory: the next hour has some */
	if (gc_begin(&upkeep->store))
		(void)gc_run(&upkeep->store, &upkeep->limits, GC_REMOVE);
}
