/*
 * seal.h -- a text in the store that only this user can have written there.
 *
 * In a store that must prove to be ours (owner.h), every text that is believed
 * ends with a seal: the mac of the store's id, the text's name and the text,
 * by the user's key.  In a JSON object the seal is the last member, "seal",
 * which other programs may ignore; in any other text it is the last line.  A
 * text that came with a repository cannot have a valid seal.
 *
 * A store that the user has named has no seals and needs none: what the user
 * points to is believed, whoever wrote it.
 */
#ifndef READCACHE_STORE_SEAL_H
#define READCACHE_STORE_SEAL_H

#include <sys/types.h>

#include "store/store.h"

/*
 * TEXT with its seal, as it is to be written to the file NAME of STORE.  In a
 * store without seals it is TEXT.
 */
struct span seal_text(
    const struct store *store, const char *name, struct span text);

/*
 * Check and remove the seal of *TEXT, which was read from the file NAME.  What
 * follows the seal is moved in place, so the bytes must be the caller's own.
 * False if the seal is needed but missing or wrong; *TEXT is then unchanged.
 */
bool seal_open(
    const struct store *store, const char *name, struct span *text);

/*
 * Seal the file NAME in DIR as it is, whoever wrote it.  False if it cannot be
 * read or written.
 */
bool seal_again(struct store *store, int dir, const char *name);

/* Write TEXT with its seal by place_file.  False: see errno. */
bool seal_file(struct store *store, int dir, const char *name,
    struct span text, mode_t mode);

#endif
