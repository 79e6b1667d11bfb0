/*
 * manifest.h -- the files of a directory as a text, which is the same for the
 * same files.
 *
 * One line for each, sorted by the bytes of their names:
 *	<hash> <size> <mark> <name>
 * with "\\" for a backslash and "\n" for a line end in a name.  Names are
 * relative and normalized.
 */
#ifndef READCACHE_WORK_BLOB_MANIFEST_H
#define READCACHE_WORK_BLOB_MANIFEST_H

#include <stdint.h>

#include "base/buf.h"
#include "base/digest.h"

enum manifest_mark {
	MANIFEST_FILE = '-',
	MANIFEST_PROGRAM = 'x', /* it can be executed */
	MANIFEST_PRIVATE = 'p', /* not everybody may read it */
	MANIFEST_PRIVATE_PROGRAM = 's',
	/* These two make a difference, but cannot be brought back. */
	MANIFEST_LINK = 'l', /* hash of its text and its target's content */
	MANIFEST_EMPTY = 'd' /* an empty directory; no hash */
};

struct manifest_file {
	struct span path;
	struct digest hash;
	uint64_t size;
	enum manifest_mark mark;
};

struct manifest {
	struct manifest_file *files;
	size_t n, room;
};

/* Add FILE to MANIFEST; its path is not copied. */
void manifest_add(struct arena *arena, struct manifest *manifest,
    const struct manifest_file *file);

/* Sort the files by the bytes of their names. */
void manifest_sort(struct manifest *manifest);

/* Are all entries files, so that the tree can be made again from blobs? */
bool manifest_comes_back(const struct manifest *manifest);

/* The text of MANIFEST, which must be sorted. */
struct span manifest_write(
    struct arena *arena, const struct manifest *manifest);

/*
 * Read TEXT.  False if manifest_write could not have made it: a name leads out
 * of the directory, comes twice or is not in order; or if it has an entry that
 * cannot be brought back, since such a manifest is never kept.
 */
bool manifest_parse(
    struct arena *arena, struct span text, struct manifest *manifest);

#endif
