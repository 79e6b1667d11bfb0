/*
 * trim.h -- how many records are kept, and for how long.
 *
 * First, expired records are removed.  Then those that were not used for too
 * long.  Then those that were used longest ago, until both limits
 * (TRIM_RECORDS and bytes) are met.  Records that were made or used within the
 * last hour are kept, unless they are expired.
 */
#ifndef READCACHE_WORK_RECORD_TRIM_H
#define READCACHE_WORK_RECORD_TRIM_H

#include "store/gc.h"
#include "work/record/list.h"

enum { TRIM_RECORDS = 10000 };

struct trim_result {
	uint64_t records, bytes; /* before the pass */
	uint64_t gone, gone_bytes;
	uint64_t damaged; /* not valid records; removed after an hour */
};

/*
 * Remove records beyond LIMITS: bytes, and days since the last use.  With
 * GC_TELL nothing is removed, and the result says what would be.
 */
struct trim_result trim_run(struct records *records, struct state *state,
    const struct gc_limits *limits, enum gc_want want);

#endif
