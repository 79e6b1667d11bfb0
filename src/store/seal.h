/*
 * seal.h -- a text in the store that only this user can have written there.
 *
 * In a store that must prove to be ours (owner.h) every text that is believed
 * ends with the mac of its name and itself, by the user's key: of a JSON
 * object as its last member, "seal", which other programs may ignore; of
 * anything else as a last line.  What a repository puts there has none.
 *
 * In a store that the user has named there are no seals, and none is asked
 * for: what he points to is believed, whoever has written it.
 */
#ifndef READCACHE_STORE_SEAL_H
#define READCACHE_STORE_SEAL_H

#include <sys/types.h>

#include "store/store.h"

/* TEXT as it is to stand in the file NAME of STORE. */
struct span seal_text(
    const struct store *store, const char *name, struct span text);

/*
 * *TEXT, as it was read from the file NAME, without its seal: what is after
 * that moves up, so the bytes must be the caller's own.  False if it has to
 * have one and has not, or not the right one; nothing is moved then.
 */
bool seal_open(
    const struct store *store, const char *name, struct span *text);

/*
 * Seal the file NAME in DIR as it stands, whoever has written it.  False if
 * that is not possible.
 */
bool seal_again(struct store *store, int dir, const char *name);

/* As place_file, sealed. */
bool seal_file(struct store *store, int dir, const char *name,
    struct span text, mode_t mode);

#endif
