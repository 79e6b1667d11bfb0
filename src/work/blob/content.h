/*
 * content.h -- what a path holds: nothing, a file, a directory.
 *
 * The content of a directory is that of the files in it and below: their
 * names, hashes, sizes, whether they can be executed and whether they are
 * private (not readable by all, or in a directory that is not); links, by
 * their text and the content of the file; and the names of empty directories.
 * A link into the store stands for an output that was brought back by link,
 * and is the file.  Its hash is that of its manifest (manifest.h).
 */
#ifndef READCACHE_WORK_BLOB_CONTENT_H
#define READCACHE_WORK_BLOB_CONTENT_H

#include "base/buf.h"
#include "work/blob/manifest.h"
#include "work/fingerprint/hash.h"

enum content_kind {
	CONTENT_ABSENT,
	CONTENT_FILE,
	CONTENT_PROGRAM, /* a file that can be executed */
	CONTENT_PRIVATE, /* a file that not everybody may read */
	CONTENT_PRIVATE_PROGRAM,
	CONTENT_TREE
};

struct content {
	enum content_kind kind;
	struct digest hash; /* of nothing: all zero */
};

bool content_eq(const struct content *a, const struct content *b);

/* "<64 hex>", with ".x", ".p", ".xp" for programs and what is private, and
 * ".dir" for a tree; "absent". */
enum { CONTENT_TEXT = DIGEST_HEX + sizeof(".dir") };
void content_write(const struct content *content, char text[CONTENT_TEXT]);
bool content_parse(struct span text, struct content *content);

/* Who looks: what is needed for it. */
struct content_look {
	struct hasher *hasher;
	struct store *store;
	dev_t store_dev; /* the store itself is never part of a tree */
	ino_t store_ino;
};

struct content_look content_look(struct hasher *hasher, struct store *store);

/*
 * The content of PATH, relative to ROOT or absolute.  Links on the way are
 * followed.  MANIFEST, if not NULL, gets that of a tree (empty otherwise).
 * False if nobody can say: unreadable, a device, a link in a directory that
 * leads to no file, or it does not keep still.
 */
bool content_of(const struct content_look *look, int root, const char *path,
    struct content *content, struct manifest *manifest);

#endif
