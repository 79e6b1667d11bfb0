/*
 * value_file.h -- a value as a file: ${node.stdout.file}.
 *
 * For a value that is too large for a word of a command, or is not text.  The
 * file holds every byte and is named by their hash, so a command that names it
 * stays the same as long as the value does.  It is in the store's tmp/, where
 * gc removes it if it was not used for an hour.
 */
#ifndef READCACHE_WORK_WORKFLOW_VALUE_FILE_H
#define READCACHE_WORK_WORKFLOW_VALUE_FILE_H

#include "store/store.h"

/* Its name, relative to ROOT if the store is below ROOT. */
struct span value_file_name(
    struct arena *arena, const struct store *store, struct span root,
    struct span bytes);

/*
 * A descriptor that gives BYTES from their beginning, for standard input.  The
 * file has no name any more, so nobody has to remove it.  -1 if it cannot be
 * made.
 */
int value_file_open(struct store *store, struct span bytes);

/* Write the file.  False: see errno. */
bool value_file_write(struct store *store, struct span bytes);

#endif
