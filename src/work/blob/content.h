/*
 * content.h -- what a path holds: nothing, a file, or a directory.
 *
 * The content of a directory is made of all files in it and below: their
 * names, hashes, sizes, whether they can be executed, and whether they are
 * private (not readable by everybody, or in a directory that is not).  A link
 * counts by its text and the content of the file it leads to.  Empty
 * directories count by their names.  A link to a blob of the store is an
 * output that was brought back by link, and counts as the file itself.  The
 * hash of a directory is that of its manifest (manifest.h).
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
	struct digest hash; /* all zero if absent */
};

bool content_eq(const struct content *a, const struct content *b);

/*
 * Content as text: "absent", or "<64 hex>" followed by ".x" for a program,
 * ".p" for a private file, ".xp" for both, ".dir" for a directory.
 * content_parse is false for any other text.
 */
enum { CONTENT_TEXT = DIGEST_HEX + sizeof(".dir") };
void content_write(const struct content *content, char text[CONTENT_TEXT]);
bool content_parse(struct span text, struct content *content);

/* What content_of needs. */
struct content_look {
	struct hasher *hasher;
	struct store *store;
	dev_t store_dev; /* the store is not part of any tree */
	ino_t store_ino;
};

/*
 * Prepare to look: find the directory of STORE, which is never part of a tree.
 */
struct content_look content_look(struct hasher *hasher, struct store *store);

/*
 * The content of PATH, which is absolute or relative to ROOT.  Links on the
 * way are followed.  MANIFEST, if not NULL, gets that of a directory, and is
 * empty otherwise.  False if the content cannot be known: unreadable, a
 * device, a link in a directory that does not lead to a file, a path in a
 * directory that is longer than the system takes (PATH_MAX), or a file that is
 * being changed.
 */
bool content_of(const struct content_look *look, int root, const char *path,
    struct content *content, struct manifest *manifest);

#endif
