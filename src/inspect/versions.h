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
	const struct version *older;  /* the next older one of any hash */
	struct digest hash;
	uint64_t first;
	struct column lines;
	bool whole; /* they are the whole file */
	bool weak;  /* a marker said so; its proof may be gone */
};

struct versions {
	struct arena *arena;
	struct map *by_hash;
	const struct version *latest; /* the latest one kept, or NULL */
	size_t bytes;
};

struct versions versions_new(struct arena *arena);

/*
 * Keep VERSION, unless it is already known.  With SHARED its lines are not
 * copied: they are those of a kept version.
 */
void versions_add(struct versions *versions, const struct version *version,
    bool shared);

/* The latest one kept of HASH, or NULL. */
const struct version *versions_find(const struct versions *versions,
    const struct digest *hash);

#endif
