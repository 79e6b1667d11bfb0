/*
 * key.h -- the user's secret, which proves whose a store is (owner.h).
 *
 * 32 random bytes in a file of mode 0600 outside of all projects, by default
 * ~/.local/state/readcache/key.  It never leaves this machine.  Without it,
 * stores below projects are not trusted; nothing else is lost.
 *
 * Its directory also has the databases of all stores (state/home.h).
 */
#ifndef READCACHE_STORE_KEY_H
#define READCACHE_STORE_KEY_H

#include "base/arena.h"
#include "base/mac.h"

enum key_want { KEY_LOOK, KEY_MAKE /* if it does not exist */ };

/*
 * Read the key in the directory DIR, an absolute path; "" if there is no place
 * for a key.  False: errno is ENOENT if there is no key, EPERM if it is not a
 * valid key that only the user can read, else why the system did not let us
 * look.
 */
bool key_get(struct arena *arena, struct span dir, enum key_want want,
    uint8_t key[MAC_KEY]);

/*
 * Open DIR, the directory of the key.  It must belong to the user; with
 * KEY_MAKE it is made if it is missing.  The caller closes it.  -1: errno is
 * EPERM if it is somebody else's, else why it could not be opened.
 */
int key_dir(struct arena *arena, struct span dir, enum key_want want);

#endif
