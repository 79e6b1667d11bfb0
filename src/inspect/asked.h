/*
 * asked.h -- which file and which lines a recorded read asked for.
 */
#ifndef READCACHE_INSPECT_ASKED_H
#define READCACHE_INSPECT_ASKED_H

#include "session/records.h"

struct asked {
	struct span name; /* absolute, as it was read; empty: unknown */
	bool placed;      /* FIRST and LIMIT are known */
	uint64_t first, limit; /* FIRST counts from 1; LIMIT 0: none */
	bool misnamed; /* the metadata names another file than the call */
};

/*
 * What a result and its call, which may be NULL, asked for.  There is no disk
 * to look at, so "path:5-9" is taken for a range unless the metadata says
 * otherwise.
 */
struct asked asked_of(const struct record_result *result,
    const struct record_call *call, struct span cwd, struct span home,
    struct arena *arena);

/*
 * The file that CALL, of an edit or a write, changed; empty if it has no path.
 * *SURE is false if it may be another one: calls of one session may have been
 * made in several directories.
 */
struct span asked_change(const struct record_call *call,
    const struct index *index, struct span home, struct arena *arena,
    bool *sure);

#endif
