/*
 * lineage.h -- the branch among the entries of a request.
 */
#ifndef READCACHE_HOST_PI_LINEAGE_H
#define READCACHE_HOST_PI_LINEAGE_H

#include "base/map.h"
#include "host/pi/events.h"
#include "host/pi/session.h"

/* The way from the boundary to the leaf, and what is edited on it. */
struct lineage {
	const struct entry **path; /* leaf first */
	size_t n;
	struct map *edited; /* id -> enum edit */
};

/* Entries may come in any order, and there may be more than the branch. */
enum branch_state lineage_find(struct arena *arena,
    const struct session *session, struct lineage *lineage);

/* What became of ENTRY on the way. */
enum edit lineage_edit(const struct lineage *lineage,
    const struct entry *entry);

#endif
