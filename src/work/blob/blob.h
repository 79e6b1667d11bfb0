/*
 * blob.h -- outputs of stages, by their hash: objects/<2 hex>/<62 hex>.
 *
 * Files in the tree may be links to blobs.  So blobs are read-only (0444), and
 * are kept apart from the versions of files that reads keep (store.h), which
 * nothing may be linked to.  The mode does not stop everybody, least of all
 * root.  So a blob is used without reading it only if its file is as it was
 * when it was hashed (work/fingerprint/hash.h); else it is hashed again.
 */
#ifndef READCACHE_WORK_BLOB_BLOB_H
#define READCACHE_WORK_BLOB_BLOB_H

#include "store/dir.h"
#include "work/blob/content.h"

#define BLOB_MODE 0444

enum { BLOB_NAME = DIGEST_HEX + sizeof("/"), BLOB_LEAF = DIGEST_HEX - 1 };

/*
 * Write the name of the blob HASH, relative to objects/: "ab/cdef...".  For
 * people, and for links to it: no such name is opened (blob_find).
 */
void blob_name(const struct digest *hash, char name[BLOB_NAME]);

/*
 * Is TARGET, the text of a link, the absolute name of a blob of STORE, as a
 * checkout by link writes it?  Then *HASH is that blob's.
 */
bool blob_of_target(
    const struct store *store, struct span target, struct digest *hash);

/* The blobs of a store.  The descriptor belongs to the store's arena. */
struct blobs {
	struct store *store;
	struct hasher *hasher;
	int objects; /* -1 if there are none */
	uid_t us; /* the user, who is asked for once */
	/*
	 * Good blobs will be linked, which changes their facts: do not
	 * remember their hashes.
	 */
	bool linked;
};

/*
 * The blobs of STORE, opened as WANT says.  HASHER hashes those that are
 * checked.
 */
struct blobs blobs_in(
    struct store *store, struct hasher *hasher, enum dir_want want);

/* Where a blob is, or would be. */
struct blob_place {
	int dir;	      /* objects/ab; good until the next blob_find */
	char name[BLOB_LEAF]; /* cdef... */
};

/*
 * Find the place of the blob HASH.  With DIR_MAKE its directory is made if it
 * is missing.  False if there is no such directory: see errno.
 */
bool blob_find(struct blobs *blobs, const struct digest *hash,
    enum dir_want want, struct blob_place *place);

/*
 * Has the file ST the owner and the mode that blobs are made with?  One that
 * came with a repository, or that was changed through a link, may have others,
 * and an output that is linked to it would have them too.
 */
bool blob_is_plain(const struct blobs *blobs, const struct stat *st);

/*
 * Put a copy in the place of the blob HASH, with the mode of a blob.  False if
 * that is not possible, or if the blob does not hold what its name says.
 */
bool blob_renew(struct blobs *blobs, const struct digest *hash);

enum blob_state {
	BLOB_GOOD,
	BLOB_MISSING,
	BLOB_DAMAGED /* its bytes have another hash, or it is not a file */
};

enum blob_use {
	BLOB_LOOK, /* change nothing */
	BLOB_USE   /* move a damaged one to tmp/, where gc finds it */
};

/*
 * Is the blob HASH there, and does it hold what its name says?  SIZE is that of
 * its bytes: a file of another size is damaged and is not read.  Where only the
 * hash is known, BLOB_ANY_SIZE: then a file of more than 1 GiB is damaged if
 * not even 1/64 of it takes space on the disk.
 */
#define BLOB_ANY_SIZE UINT64_MAX
enum blob_state blob_check(struct blobs *blobs, const struct digest *hash,
    uint64_t size, enum blob_use use);

/*
 * Are all blobs of CONTENT good?  If not, the result is that of the first one
 * that is not.  The manifest of a tree is read into MANIFEST, which is empty
 * for anything else.  Absent content needs no blob and is BLOB_GOOD.
 */
enum blob_state blob_check_content(struct blobs *blobs,
    const struct content *content, enum blob_use use,
    struct manifest *manifest);

#endif
