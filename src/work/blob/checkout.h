/*
 * checkout.h -- bring blobs back into a tree.
 *
 * There are three ways, tried in an order that the user may set.  The next way
 * is tried only if this one is not possible at this place (EXDEV, EPERM,
 * EACCES, EMLINK, ENOTSUP); any other failure ends the checkout.  Executable
 * files are always copied, because a hard link shares its mode with the blob.
 * So are files that not everybody may read.  A directory that holds only such
 * files is made for its owner only: that is how a private directory is
 * recorded.
 *
 * A file or a whole directory is made beside its target under a name of its
 * own and then put in its place.  So the target is the old or the new one at
 * every moment.  A file that was a link to a blob is replaced, never written
 * to.
 */
#ifndef READCACHE_WORK_BLOB_CHECKOUT_H
#define READCACHE_WORK_BLOB_CHECKOUT_H

#include "work/blob/blob.h"

enum checkout_mode {
	CHECKOUT_HARDLINK,
	CHECKOUT_SYMLINK,
	CHECKOUT_COPY,
	CHECKOUT_MODES
};

struct checkout_modes {
	enum checkout_mode order[CHECKOUT_MODES];
	size_t n;
};

/* The default order: hardlink, symlink, copy. */
struct checkout_modes checkout_default(void);

/*
 * Parse "copy", or several ways in their order, each once: "hardlink,copy".
 * False if TEXT is something else.
 */
bool checkout_parse(struct span text, struct checkout_modes *modes);

/*
 * Make PATH, relative to ROOT, what CONTENT and MANIFEST say.  Their blobs
 * must have been checked (blob_check_content).  Missing directories above PATH
 * are made.  False: see errno; EXDEV or ELOOP if PATH leads out of ROOT.
 */
bool checkout(struct blobs *blobs, const struct checkout_modes *modes, int root,
    struct span path, const struct content *content,
    const struct manifest *manifest);

#endif
