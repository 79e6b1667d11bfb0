/*
 * owner.h -- is a store this user's own work, on this machine?
 *
 * A store in its usual place, below a project, may have come with the project:
 * with a clone, an archive or an image.  The versions of files in it do no
 * harm, as each is checked by its hash.  But the results of the work cache
 * would be believed.  So such a store (store_guard) must prove whose it is:
 * its file "owner" has a random id and the mac of that id by the user's key
 * (key.h), which a repository cannot know.  What is believed is sealed by the
 * same key (seal.h), so that a later pull cannot add anything either.
 *
 * A store without an owner file that holds only versions of files becomes the
 * user's when the work cache first writes to it.  One that holds outputs or
 * results does not: whoever made them would have left a mark.  A store that was
 * moved or copied by its user stays the user's.
 */
#ifndef READCACHE_STORE_OWNER_H
#define READCACHE_STORE_OWNER_H

#include "store/dir.h"
#include "store/store.h"

#define OWNER_NAME "owner"

/*
 * Whose STORE is; ROOT is its root.  With DIR_MAKE it is made ours if it has
 * no owner and holds nothing to be believed.  The answer is remembered, except
 * OWNER_UNKNOWN.
 */
enum owner owner_ask(struct store *store, int root, enum dir_want want);

/*
 * Make STORE ours, whoever made it.  False: see errno; EACCES if there is no
 * key.
 */
bool owner_take(struct store *store);

/*
 * Read the user's key into STORE.  With DIR_MAKE it is made if it is missing.
 * False: see key_get.  A key that was found is not read again.
 */
bool owner_key(struct store *store, enum dir_want want);

/* Does STORE need a key, and is the one that exists not the user's alone? */
bool owner_key_is_unfit(struct store *store);

#endif
