/*
 * seal.h -- a text in the store that only this user can have written there.
 *
 * In a store that must prove to be ours (owner.h), every text that is believed
 * ends with a seal: the mac of the store's id, the text's place and name in the
 * store, and the text, by the user's key.  So a text is valid only where it was
 * written.  In a JSON object the seal is the last member, "seal",
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

/* Which file of the store: memo/FILE, or stages/<flow>/FILE. */
struct seal_name {
	struct span dir;   /* "memo", "stages", "flows" */
	struct span below; /* a directory in DIR, or "" */
	const char *file;
};

/*
 * TEXT with its seal, as it is to be written to the file NAME of STORE.  In a
 * store without seals it is TEXT.
 */
struct span seal_text(
    const struct store *store, struct seal_name name, struct span text);

/*
 * Check and remove the seal of *TEXT, which was read from the file NAME.  What
 * follows the seal is moved in place, so the bytes must be the caller's own.
 * False if the seal is needed but missing or wrong; *TEXT is then unchanged.
 */
bool seal_open(
    const struct store *store, struct seal_name name, struct span *text);

/*
 * Seal the file NAME as it is, whoever wrote it.  DIR is the directory it is
 * in.  False if it cannot be read or written.
 */
bool seal_again(struct store *store, int dir, struct seal_name name);

/* Write TEXT with its seal to NAME, in DIR, by place_file.  False: see errno. */
bool seal_file(struct store *store, int dir, struct seal_name name,
    struct span text, mode_t mode);

#endif
