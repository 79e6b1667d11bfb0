/*
 * keep.h -- put outputs into the store.
 *
 * Several blobs are kept together, so that their bytes are made durable
 * together.  With KEEP_NOW that is before they get their names.  With
 * KEEP_LATER, for many stages in a row, it is before the state remembers
 * anything about them (state_flush).  Either way a blob that is used without
 * being hashed is whole, even after a loss of power.  A blob that lost its
 * bytes is hashed before it is used, and found damaged.  Names are not synced:
 * a missing blob only costs a run.
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

struct keep_item; /* a blob without its name */

enum keep_sync { KEEP_NOW, KEEP_LATER };

/* Must no copy be made of PATH, a file in a directory that is kept? */
typedef bool keep_withholds(void *context, struct span path);

struct keep {
	struct blobs *blobs;
	enum keep_sync sync;
	struct keep_item *items;
	size_t n;
	keep_withholds *withholds; /* NULL: all files are copied */
	void *context;		   /* for WITHHOLDS */
};

/* Begin to keep outputs.  Nothing is written yet. */
struct keep keep_begin(struct blobs *blobs, enum keep_sync sync);

/*
 * Copy PATH, relative to ROOT, into the store.  It must hold CONTENT, with the
 * files of MANIFEST.  What the store already has is not copied.  Of files that
 * are withheld only the manifest's line is kept, so the directory can be
 * compared, but not brought back.  False: see errno; EBUSY if PATH does not
 * hold CONTENT any more.
 *
 * No link is followed, except one to a blob of the store, so that nothing is
 * copied that was not made here: ELOOP if PATH is a link, EXDEV if it leads
 * out of ROOT.
 */
bool keep_content(struct keep *keep, int root, struct span path,
    const struct content *content, const struct manifest *manifest);

/*
 * Make the bytes durable (KEEP_NOW) and give the blobs their names.  False:
 * see errno; the blobs without a name are dropped.
 */
bool keep_end(struct keep *keep);

/* Drop all blobs that have no name yet. */
void keep_drop(struct keep *keep);

#endif
