/*
 * keep.h -- put outputs into the store.
 *
 * Several blobs are kept together, so that their bytes are made durable
 * together: before they get their names (KEEP_NOW), or, where many stages work
 * one after the other, before the state remembers anything of them (KEEP_LATER;
 * state_flush).  Either way a blob that is believed without being hashed is
 * whole, even after a loss of power; one that lost its bytes is hashed, and
 * found damaged.  Names are not synced: a blob that is missing costs a run.
 *
 *	struct keep keep = keep_begin(blobs, KEEP_NOW);
 *	if (keep_content(&keep, root, path, &content, &manifest) && ...)
 *		done = keep_end(&keep);
 *	else
 *		keep_drop(&keep);
 */
#ifndef READCACHE_WORK_BLOB_KEEP_H
#define READCACHE_WORK_BLOB_KEEP_H

#include "work/blob/blob.h"

struct keep_item; /* one that has no name yet */

enum keep_sync { KEEP_NOW, KEEP_LATER };

struct keep {
	struct blobs *blobs;
	enum keep_sync sync;
	struct keep_item *items;
	size_t n;
};

struct keep keep_begin(struct blobs *blobs, enum keep_sync sync);

/*
 * Copy PATH, relative to ROOT, which is CONTENT with the files of MANIFEST.
 * What the store has already is not copied.  False if that failed, or if
 * what is there is not CONTENT any more: errno is then EBUSY.
 */
bool keep_content(struct keep *keep, int root, const char *path,
    const struct content *content, const struct manifest *manifest);

/*
 * Make their bytes durable, if now is the time, and name them.  False: errno
 * tells, and nothing is kept.
 */
bool keep_end(struct keep *keep);

/* Give it up. */
void keep_drop(struct keep *keep);

#endif
