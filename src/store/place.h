/*
 * place.h -- write a file so that it is there as a whole, or not at all.
 */
#ifndef READCACHE_STORE_PLACE_H
#define READCACHE_STORE_PLACE_H

#include <sys/types.h>

#include "store/object.h"
#include "store/store.h"

enum { TEMP_NAME = TEMP_DIGITS + 1 };

/*
 * Make a new file in the store's tmp/.  The caller writes it and renames it
 * from store->tmp; its name is put into NAME.  The name is random, so two
 * writers of the same thing do not meet before the rename.  -1 if it could not
 * be made.
 */
int place_temp(struct store *store, char name[TEMP_NAME], mode_t mode);

/*
 * Write BYTES to the file NAME in DIR, a directory of the store, and replace
 * what is there.  It is not synced: after a loss of power the file may be
 * empty, so its readers must be able to notice.  False: see errno; nothing is
 * left in tmp/.
 */
bool place_file(struct store *store, int dir, const char *name,
    struct span bytes, mode_t mode);

/* place_file with a content of N PIECES, one after the other. */
bool place_pieces(struct store *store, int dir, const char *name,
    const struct span *pieces, size_t n, mode_t mode);

/*
 * Write BYTES to the file NAME in DIR if there is none yet.  It is synced
 * before it gets its name.  False: see errno; EEXIST if NAME exists.
 */
bool place_once(struct store *store, int dir, const char *name,
    struct span bytes, mode_t mode);

#endif
