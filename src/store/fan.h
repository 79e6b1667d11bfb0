/*
 * fan.h -- the directories objects/00 to objects/ff, kept open.
 *
 * A name in the store is one component below an open directory.  So whoever
 * wants objects/ab/cdef... needs the descriptor of objects/ab.  It is opened
 * once and then kept as long as the store's arena, for thousands of outputs
 * need the same 256 directories again and again.
 */
#ifndef READCACHE_STORE_FAN_H
#define READCACHE_STORE_FAN_H

#include "store/dir.h"

/*
 * The directory of the hash HASH in OBJECTS, the store's objects/.  With
 * DIR_MAKE it is made if it is missing.  -1 if it cannot be used, as in
 * dir_below.  The descriptor belongs to the store, and is good until the next
 * call.
 */
int fan_open(struct store *store, int objects, const struct digest *hash,
    enum dir_want want);

/* Forget the directory of HASH, which was removed since it was opened. */
void fan_forget(struct store *store, const struct digest *hash);

#endif
