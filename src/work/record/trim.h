/*
 * trim.h -- how many records are kept, and for how long.
 *
 * Expired ones go, then those that were not used for too long, then the least
 * recently used ones until both limits are kept.  What was made or used
 * within the last hour stays, but for expired ones.
 */
#ifndef READCACHE_WORK_RECORD_TRIM_H
#define READCACHE_WORK_RECORD_TRIM_H

#include "store/gc.h"
#include "work/record/list.h"

enum { TRIM_RECORDS = 10000 };

struct trim_result {
	uint64_t records, bytes; /* that were there */
	uint64_t gone, gone_bytes;
	uint64_t damaged; /* no records; they go when they are an hour old */
};

/* LIMITS are those of the store: bytes, and days since the last use. */
struct trim_result trim_run(struct records *records, struct state *state,
    const struct gc_limits *limits, enum gc_want want);

#endif
