/*
 * owner.h -- is a store this user's own work, on this machine?
 *
 * A store in its usual place, below a project, may have come with the
 * project: with a clone, an archive or an image.  The versions of files in it
 * do no harm, each is checked by its hash.  But what the work cache finds
 * would be believed.  So such a store (store_guard) must say whose it is: its
 * file "owner" has a number of its own and the mac of that number by the
 * user's key (key.h), which a repository cannot ship.  And what is believed
 * is sealed by the same key (seal.h), so that nothing can be put into the
 * store later on, by a pull.
 *
 * A store without that file that holds nothing but versions of files becomes
 * the user's when the work cache first uses it.  One that was moved or copied
 * by its user stays his.
 */
#ifndef READCACHE_STORE_OWNER_H
#define READCACHE_STORE_OWNER_H

#include "store/dir.h"
#include "store/store.h"

#define OWNER_NAME "owner"

/*
 * Whose STORE is; ROOT is its root.  With DIR_MAKE it is made ours if it may
 * be.  Asked once and remembered, but for OWNER_UNKNOWN.
 */
enum owner owner_ask(struct store *store, int root, enum dir_want want);

/* Make STORE ours, whoever made it.  False: errno tells. */
bool owner_take(struct store *store);

/* The user's key; false if there is none.  Looked for once. */
bool owner_key(struct store *store, enum dir_want want);

/* Is there something in the key's place that is not the user's alone? */
bool owner_key_is_unfit(struct store *store);

#endif
