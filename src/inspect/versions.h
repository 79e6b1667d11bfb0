/*
 * versions.h -- which lines of which version of a file were shown.
 */
#ifndef READCACHE_INSPECT_VERSIONS_H
#define READCACHE_INSPECT_VERSIONS_H

#include "base/digest.h"
#include "inspect/texts.h"

/* Lines from FIRST on of the version HASH. */
struct version {
	const struct version *before; /* the next older one of this hash */
	const struct version *older;  /* of any */
	struct digest hash;
	uint64_t first;
	struct column lines;
	bool whole; /* they are all of them */
	bool weak;  /* a marker said so; its own reasons may be gone by now */
};

struct versions {
	struct arena *arena;
	struct map *by_hash;
	const struct version *latest; /* that was kept, or NULL */
	size_t bytes;
};

struct versions versions_new(struct arena *arena);

/*
 * Keep VERSION, unless it is known already.  SHARED: its lines need not be
 * copied.
 */
void versions_add(struct versions *versions, const struct version *version,
    bool shared);

/* The latest that was kept of HASH, or NULL. */
const struct version *versions_find(const struct versions *versions,
    const struct digest *hash);

#endif
