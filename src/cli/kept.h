/*
 * kept.h -- the work cache's part of the store: records and kept outputs.
 *
 * What the cache commands do with it besides what they do with the versions
 * of files that reads keep.
 */
#ifndef READCACHE_CLI_KEPT_H
#define READCACHE_CLI_KEPT_H

#include "work/blob/sweep.h"
#include "work/record/trim.h"

struct kept_stats {
	uint64_t records, record_bytes;
	uint64_t outputs, output_bytes;
};

struct kept_stats kept_stat(struct store *store);

struct kept_gone {
	struct trim_result records;
	struct sweep_result outputs;
};

/*
 * Records by LIMITS, then the outputs that no record, lock or session refers
 * to.  Outputs are left alone while somebody is at work.
 */
struct kept_gone kept_gc(
    struct store *store, const struct gc_limits *limits, enum gc_want want);

/* A record or an output that is not what it should be. */
struct kept_fault {
	struct kept_fault *next;
	struct span name; /* below the store */
	bool removed;
};

struct kept_verified {
	uint64_t records, outputs, damaged;
	struct kept_fault *first, *last;
};

/* Read all of it; damaged ones are removed if WANT says so. */
struct kept_verified kept_verify(struct store *store, enum gc_want want);

/*
 * Remove everything in the store: versions, records, outputs, locks of
 * stages, sessions, what is remembered.  How many files that were.
 */
uint64_t kept_clear(struct store *store);

#endif
