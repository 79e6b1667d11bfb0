/*
 * asked.h -- which file, and which lines, a recorded read asked for.
 */
#ifndef READCACHE_INSPECT_ASKED_H
#define READCACHE_INSPECT_ASKED_H

#include "host/pi/records.h"

struct asked {
	struct span name; /* absolute, as it was read; empty: unknown */
	bool placed;      /* these are known: */
	uint64_t first, limit; /* from 1 on; limit 0: none */
	bool misnamed; /* the metadata names another file than the call */
};

/*
 * Of a result and its call, which may be NULL.  Without a disk to look at, a
 * range behind a path is taken for one, unless the metadata says otherwise.
 */
struct asked asked_of(const struct record_result *result,
    const struct record_call *call, struct span cwd, struct span home,
    struct arena *arena);

#endif
