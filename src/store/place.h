/*
 * place.h -- a file that is there whole, or not at all.
 */
#ifndef READCACHE_STORE_PLACE_H
#define READCACHE_STORE_PLACE_H

#include <sys/types.h>

#include "store/object.h"
#include "store/store.h"

enum { TEMP_NAME = TEMP_DIGITS + 1 };

/*
 * Make a new file in the store's tmp/, for the caller to fill and to rename
 * from store->tmp; its name is written to NAME.  Nobody else has it: two
 * writers of the same thing do not meet before the rename.  -1: not possible.
 */
int place_temp(struct store *store, char name[TEMP_NAME], mode_t mode);

/*
 * Put BYTES at NAME in DIR, a directory of the store, replacing what is
 * there.  Not synced: after a loss of power it may be empty, so whoever reads
 * it must be able to tell.  False: errno tells, nothing is left behind.
 */
bool place_file(struct store *store, int dir, const char *name,
    struct span bytes, mode_t mode);

/* The same with N pieces, one behind the other. */
bool place_pieces(struct store *store, int dir, const char *name,
    const struct span *pieces, size_t n, mode_t mode);

/*
 * The same as place_file if nothing is there yet, and on disk before it has
 * its name.  False and EEXIST: something was.
 */
bool place_once(struct store *store, int dir, const char *name,
    struct span bytes, mode_t mode);

#endif
