/*
 * value_file.h -- a value as a file: ${node.stdout.file}.
 *
 * For what is too large for a word of a command, or no text.  The file holds
 * every byte and is called by their hash, so a command that names it is the
 * same command as long as the value is the same.  It lies in the store's
 * tmp/, where gc takes it away when it was not used for an hour.
 */
#ifndef READCACHE_WORK_WORKFLOW_VALUE_FILE_H
#define READCACHE_WORK_WORKFLOW_VALUE_FILE_H

#include "store/store.h"

/* Its name: relative to ROOT if the store is below that. */
struct span value_file_name(
    struct arena *arena, const struct store *store, struct span root,
    struct span bytes);

/*
 * A descriptor that gives BYTES from their beginning: a file without a name,
 * so nobody has to remove it.  For standard input; -1: it cannot be made.
 */
int value_file_open(struct store *store, struct span bytes);

/* Make it.  False: errno tells. */
bool value_file_write(struct store *store, struct span bytes);

#endif
