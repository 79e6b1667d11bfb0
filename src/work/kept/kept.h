/*
 * kept.h -- the work cache's part of the store: records and kept outputs.
 *
 * The cache commands use these functions besides those for the versions of
 * files that reads keep.
 */
#ifndef READCACHE_WORK_KEPT_KEPT_H
#define READCACHE_WORK_KEPT_KEPT_H

#include "store/state/state.h"
#include "work/blob/sweep.h"
#include "work/record/trim.h"

struct kept_stats {
	uint64_t records, record_bytes;
	uint64_t outputs, output_bytes;
	struct state_place database; /* its dir is empty if there is none */
};

/* Count records and outputs.  Nothing is changed. */
struct kept_stats kept_stat(struct store *store);

struct kept_gone {
	struct trim_result records;
	struct sweep_result outputs;
};

/*
 * Remove records beyond LIMITS, then outputs that no record, lock or session
 * refers to.  Outputs are left alone while another process works.  With
 * GC_TELL nothing is removed, and the result says what would be.
 */
struct kept_gone kept_gc(
    struct store *store, const struct gc_limits *limits, enum gc_want want);

/* A record or an output that is damaged. */
struct kept_fault {
	struct kept_fault *next;
	struct span name; /* its path below the store */
	bool removed;
	bool left; /* on purpose: it may be another program's file */
};

struct kept_verified {
	uint64_t records, outputs, damaged;
	struct kept_fault *first, *last;
};

/*
 * Read all records and outputs.  Damaged ones are removed if WANT is
 * GC_REMOVE, but no record in a directory that other programs use.
 */
struct kept_verified kept_verify(struct store *store, enum gc_want want);

#endif
