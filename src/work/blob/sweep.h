/*
 * sweep.h -- remove blobs that nothing refers to.
 *
 * The caller passes the texts of all records, locks and sessions to
 * sweep_need.  Everything in them that looks like a hash counts as a
 * reference, so nothing that is needed is removed, whoever wrote the text.  If
 * it refers to a tree, all files in the tree's manifest are needed too.  Blobs
 * that were made or linked within the last hour are kept in any case.
 */
#ifndef READCACHE_WORK_BLOB_SWEEP_H
#define READCACHE_WORK_BLOB_SWEEP_H

#include "base/map.h"
#include "store/gc.h"
#include "work/blob/blob.h"

struct sweep {
	struct blobs *blobs;
	struct map *needed; /* hashes, in hexadecimal */
};

/* Begin a sweep: so far no blob is needed. */
struct sweep sweep_begin(struct blobs *blobs);

/* All blobs whose hashes are in TEXT are needed. */
void sweep_need(struct sweep *sweep, struct span text);

struct sweep_result {
	uint64_t blobs, bytes; /* before the sweep */
	uint64_t gone, gone_bytes;
};

/* Remove all blobs that are not needed; with GC_TELL only count them. */
struct sweep_result sweep_end(
    struct sweep *sweep, time_t now, enum gc_want want);

/*
 * Call VISIT for every blob with the hash that its name says and the facts of
 * its file.  The blob itself is not checked.
 */
typedef void sweep_visit(
    void *context, const struct digest *hash, const struct stat *st);
void sweep_each(struct blobs *blobs, sweep_visit *visit, void *context);

#endif
