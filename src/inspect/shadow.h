/*
 * shadow.h -- what readcache would have served in a session that was recorded
 * without it: its own decisions, made from the recorded texts.
 *
 * Every read counts once, on whatever branch it is.  What the recording does
 * not show (an image, a text that is not the host's) counts as served in full,
 * and proves nothing afterwards.
 */
#ifndef READCACHE_INSPECT_SHADOW_H
#define READCACHE_INSPECT_SHADOW_H

#include "answer/decide.h"
#include "session/records.h"
#include "replay/policy.h"

/* Sums over the reads of one file, or of all files. */
struct shadow_sum {
	struct span name; /* empty: all files */
	uint64_t reads;
	uint64_t baseline_bytes, served_bytes;
	uint64_t modes[MODE_COUNT]; /* MODE_PLAIN: not known */
};

/* One read, and how it is answered. */
struct shadow_read {
	uint32_t node;
	struct span name; /* empty: not known */
	enum mode mode;	  /* MODE_PLAIN: not known */
	const char *reason; /* NULL: not known */
	uint64_t baseline_bytes, served_bytes;
};

/* Called for every read once, along one path after another. */
typedef void shadow_each(void *context, const struct shadow_read *read);

struct shadow {
	struct shadow_sum all;
	struct shadow_sum *files; /* most bytes saved first */
	size_t nfiles;
	uint64_t compact;  /* reads that were already recorded as compact */
	uint64_t violations; /* answers that a reader could not understand */
};

/*
 * Answer all reads of RECORDS again by POLICY.  HOME replaces a tilde in
 * recorded paths.
 */
struct shadow shadow_run(const struct session_records *records,
    enum policy policy, struct span home, struct arena *arena);

/* The same; EACH, unless it is NULL, is told of every read. */
struct shadow shadow_run_each(const struct session_records *records,
    enum policy policy, struct span home, shadow_each *each, void *context,
    struct arena *arena);

/* Sort by bytes saved, most first. */
void shadow_sort(struct shadow_sum *sums, size_t n);

#endif
