/*
 * keep.h -- put outputs into the store.
 *
 * Several blobs are kept together, so that their bytes are made durable
 * together.  A blob has its name only when its bytes are on disk, so one that
 * is there after a crash is whole; names are not synced, for a blob that is
 * missing only costs a run.
 *
 *	struct keep keep = keep_begin(blobs);
 *	if (keep_content(&keep, root, path, &content, &manifest) && ...)
 *		done = keep_end(&keep);
 *	else
 *		keep_drop(&keep);
 */
#ifndef READCACHE_BLOB_KEEP_H
#define READCACHE_BLOB_KEEP_H

#include "blob/blob.h"

struct keep_item; /* one that has no name yet */

struct keep {
	struct blobs *blobs;
	struct keep_item *items;
	size_t n;
};

struct keep keep_begin(struct blobs *blobs);

/*
 * Copy PATH, relative to ROOT, which is CONTENT with the files of MANIFEST.
 * What the store has already is not copied.  False if that failed, or if
 * what is there is not CONTENT any more: errno is then EBUSY.
 */
bool keep_content(struct keep *keep, int root, const char *path,
    const struct content *content, const struct manifest *manifest);

/* Make their bytes durable and name them.  False: errno tells, and nothing is kept. */
bool keep_end(struct keep *keep);

/* Give it up. */
void keep_drop(struct keep *keep);

#endif
