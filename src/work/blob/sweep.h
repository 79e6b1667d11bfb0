/*
 * sweep.h -- blobs that nobody refers to.
 *
 * Who refers to them is for the caller to say, with the texts of all records,
 * locks and sessions: whatever looks like a hash in them is one.  So nothing
 * that is needed goes, whoever writes those texts, and of a tree all that its
 * manifest names is needed too.  What was made or linked within the last hour
 * stays.
 */
#ifndef READCACHE_WORK_BLOB_SWEEP_H
#define READCACHE_WORK_BLOB_SWEEP_H

#include "base/map.h"
#include "store/gc.h"
#include "work/blob/blob.h"

struct sweep {
	struct blobs *blobs;
	struct map *needed; /* their hexadecimal names */
};

struct sweep sweep_begin(struct blobs *blobs);

/* All blobs that TEXT names are needed. */
void sweep_need(struct sweep *sweep, struct span text);

struct sweep_result {
	uint64_t blobs, bytes; /* that were there */
	uint64_t gone, gone_bytes;
};

/* Remove (or count) all others, as it is NOW. */
struct sweep_result sweep_end(
    struct sweep *sweep, time_t now, enum gc_want want);

/* For every blob, whatever it is: its file's facts and what it claims. */
typedef void sweep_visit(
    void *context, const struct digest *hash, const struct stat *st);
void sweep_each(struct blobs *blobs, sweep_visit *visit, void *context);

#endif
