/*
 * blob.h -- outputs of stages, by their hash: objects/<2 hex>/<62 hex>.
 *
 * Blobs are what outputs in the tree may be links to, so they are readable
 * only (0444) and apart from the versions of files that reads keep (store.h),
 * which no link may lead to.  The mode stops nobody who is determined, root
 * least of all: a blob is believed only if its file is as it was when it was
 * hashed (work/fingerprint/hash.h), else it is hashed again.
 */
#ifndef READCACHE_WORK_BLOB_BLOB_H
#define READCACHE_WORK_BLOB_BLOB_H

#include "store/dir.h"
#include "work/blob/content.h"

#define BLOB_MODE 0444

enum { BLOB_NAME = DIGEST_HEX + sizeof("/") };

/* "ab/cdef...", relative to objects/. */
void blob_name(const struct digest *hash, char name[BLOB_NAME]);

/* The blobs of a store; its descriptor belongs to the store's arena. */
struct blobs {
	struct store *store;
	struct hasher *hasher;
	int objects; /* -1: there are none */
	bool linked; /* good ones will be linked, which changes their facts:
		      * their hashes are not worth remembering */
};

struct blobs blobs_in(
    struct store *store, struct hasher *hasher, enum dir_want want);

enum blob_state {
	BLOB_GOOD,
	BLOB_MISSING,
	BLOB_DAMAGED /* its bytes have another hash, or it is no file */
};

enum blob_use {
	BLOB_LOOK, /* nothing is changed */
	BLOB_USE   /* a damaged one is moved to tmp/, where gc finds it */
};

/* Is the blob HASH there, and what its name says? */
enum blob_state blob_check(
    struct blobs *blobs, const struct digest *hash, enum blob_use use);

/*
 * Are all blobs there that make up CONTENT?  That of a tree is read into
 * MANIFEST.  The first one that is not good counts.
 */
enum blob_state blob_check_content(struct blobs *blobs,
    const struct content *content, enum blob_use use,
    struct manifest *manifest);

#endif
