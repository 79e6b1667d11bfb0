/*
 * shadow.h -- what readcache would have served in a session that was recorded
 * without it, by its own decision, from the recorded texts.
 *
 * Every read counts once, on whatever branch it is.  What cannot be told from
 * the recording (an image, a text that is none of the host's) is counted as
 * served in full, and proves nothing afterwards.
 */
#ifndef READCACHE_INSPECT_SHADOW_H
#define READCACHE_INSPECT_SHADOW_H

#include "answer/decide.h"
#include "host/pi/records.h"
#include "replay/policy.h"

/* Sums over the reads of one file, or of all. */
struct shadow_sum {
	struct span name; /* empty: all */
	uint64_t reads;
	uint64_t baseline_bytes, served_bytes;
	uint64_t modes[MODE_COUNT]; /* MODE_PLAIN: could not be told */
};

struct shadow {
	struct shadow_sum all;
	struct shadow_sum *files; /* by what was saved, most first */
	size_t nfiles;
	uint64_t compact;  /* reads that were recorded as compact already */
	uint64_t violations; /* answers that a reader could not understand */
};

/* HOME replaces a tilde in the recorded paths. */
struct shadow shadow_run(const struct session_records *records,
    enum policy policy, struct span home, struct arena *arena);

/* By what was saved, most first. */
void shadow_sort(struct shadow_sum *sums, size_t n);

#endif
