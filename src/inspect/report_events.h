/*
 * report_events.h -- what entries say about reads, loaded once for all
 * branches that share them.
 */
#ifndef READCACHE_INSPECT_REPORT_EVENTS_H
#define READCACHE_INSPECT_REPORT_EVENTS_H

#include "session/events.h"
#include "session/index.h"

struct report_events {
	const struct index *index;
	struct event **of; /* by node; NULL: nothing, or not loaded yet */
	bool *known;       /* by node: it was loaded */
};

/* Nothing is loaded yet. */
struct report_events report_events(const struct index *index);

/*
 * The events at positions FROM to TO of PATH, which are after a boundary, in
 * ARENA, where they may be changed.
 */
struct events report_events_get(struct report_events *store,
    const struct index_path *path, uint32_t from, uint32_t to,
    struct arena *arena);

#endif
