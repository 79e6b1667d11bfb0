/*
 * checkout.h -- bring blobs back into a tree.
 *
 * Three ways, tried in an order that users may set.  The next one is tried
 * only if the place cannot have this one (EXDEV, EPERM, EACCES, EMLINK,
 * ENOTSUP); any other failure is a failure.  Executable files are always
 * copied: a link shares its mode with the blob.  So are files that not
 * everybody may read; a directory that holds nothing else is made for its
 * owner only, as one that not everybody may look into is known by that.
 *
 * What is made is made beside its target under a name of its own and then
 * put in its place, a directory as a whole, so a target is the old or the new
 * one at every moment, and a file that was a link to a blob is replaced,
 * never written to.
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

/* hardlink, symlink, copy. */
struct checkout_modes checkout_default(void);

/*
 * "copy", or several in their order, each once: "hardlink,copy".  False:
 * neither.
 */
bool checkout_parse(struct span text, struct checkout_modes *modes);

/*
 * Make PATH, relative to ROOT, what CONTENT and MANIFEST say, whose blobs
 * were checked (blob_check_content).  Missing directories above it are made.
 * False: errno tells; EXDEV or ELOOP if PATH leads out of ROOT.
 */
bool checkout(struct blobs *blobs, const struct checkout_modes *modes, int root,
    struct span path, const struct content *content,
    const struct manifest *manifest);

#endif
