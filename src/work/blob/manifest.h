/*
 * manifest.h -- what is in a directory, as a text that is the same for the
 * same files.
 *
 * A line for each, sorted by the bytes of their names:
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
	/* These are told apart, but cannot be brought back. */
	MANIFEST_LINK = 'l', /* the hash is of its text and its target */
	MANIFEST_EMPTY = 'd' /* a directory with nothing in it; no hash */
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

/* Add FILE; its path is not copied. */
void manifest_add(struct arena *arena, struct manifest *manifest,
    const struct manifest_file *file);

/* Bring the files into their order. */
void manifest_sort(struct manifest *manifest);

/* Is all of it files, so that it can be made again from blobs? */
bool manifest_comes_back(const struct manifest *manifest);

/* The text of a manifest that is sorted. */
struct span manifest_write(
    struct arena *arena, const struct manifest *manifest);

/*
 * False if TEXT is no manifest as manifest_write makes it: names that lead
 * elsewhere, that come twice, or not in their order, are none; and one that
 * does not come back was never kept.
 */
bool manifest_parse(
    struct arena *arena, struct span text, struct manifest *manifest);

#endif
