/*
 * lineage.h -- the branch among a request's entries.
 */
#ifndef READCACHE_SESSION_LINEAGE_H
#define READCACHE_SESSION_LINEAGE_H

#include "base/map.h"
#include "session/entry.h"
#include "session/events.h"
#include "session/session.h"

/* The way from the boundary to the leaf, and the edits on it. */
struct lineage {
	const struct entry **path; /* leaf first */
	size_t n;
	struct map *edited; /* id -> enum edit */
};

/*
 * Find the branch of SESSION among its entries, which PARSE reads.  They may be
 * in any order, and there may be others among them.
 */
enum branch_state lineage_find(struct arena *arena,
    const struct session *session, entry_parser *parse,
    struct lineage *lineage);

/* What happened to ENTRY on this branch. */
enum edit lineage_edit(const struct lineage *lineage,
    const struct entry *entry);

#endif
