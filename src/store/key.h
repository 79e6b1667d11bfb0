/*
 * key.h -- the user's secret, by which his own stores are known (owner.h).
 *
 * 32 random bytes in a file of mode 0600 outside of all projects, by default
 * ~/.local/state/readcache/key.  It never leaves this machine.  Without it
 * stores below projects are strangers, and nothing else is lost.
 */
#ifndef READCACHE_STORE_KEY_H
#define READCACHE_STORE_KEY_H

#include "base/arena.h"
#include "base/mac.h"

enum key_want { KEY_LOOK, KEY_MAKE /* if there is none */ };

/*
 * The key in the directory DIR (absolute; empty: there is no place for it).
 * False: errno is ENOENT if there is none, EPERM if it cannot be trusted to be
 * the user's alone; else the system did not let us look.
 */
bool key_get(struct arena *arena, struct span dir, enum key_want want,
    uint8_t key[MAC_KEY]);

#endif
