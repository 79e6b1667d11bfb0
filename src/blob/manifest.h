/*
 * manifest.h -- the files of a directory, as a text that is the same for the
 * same files.
 *
 * A line for each, sorted by the bytes of their names:
 *	<hash> <size> <x or -> <name>
 * with "\\" for a backslash and "\n" for a line end in a name.  Names are
 * relative and normalized.
 */
#ifndef READCACHE_BLOB_MANIFEST_H
#define READCACHE_BLOB_MANIFEST_H

#include <stdint.h>

#include "base/buf.h"
#include "base/digest.h"

struct manifest_file {
	struct span path;
	struct digest hash;
	uint64_t size;
	bool program; /* it can be executed */
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

/* The text of a manifest that is sorted. */
struct span manifest_write(
    struct arena *arena, const struct manifest *manifest);

/*
 * False if TEXT is no manifest as manifest_write makes it: names that lead
 * elsewhere, that come twice, or not in their order, are none.
 */
bool manifest_parse(
    struct arena *arena, struct span text, struct manifest *manifest);

#endif
