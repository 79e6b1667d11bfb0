/*
 * names.h -- a name by which LMDB opens two files that are open already.
 *
 * LMDB takes a name, opens it and the same name with "-lock", and follows
 * links.  In the store, a process that can write only there could put a link
 * at either name at that moment, and LMDB would write through it.  So LMDB
 * gets a name in a directory beside the user's key, where no project can
 * write.  There "5.6" is a link to /proc/self/fd/5, and "5.6-lock" is one to
 * /proc/self/fd/6.  These links are right for every process, so they are left
 * for the next one.  On a system without such names (os/descriptor.h) there is
 * no name, and so no database.
 */
#ifndef READCACHE_STORE_STATE_NAMES_H
#define READCACHE_STORE_STATE_NAMES_H

#include "store/state/files.h"

enum { NAMES_MAX = 64 };

/*
 * A name for FILES, by which LMDB opens both files, or only the data if
 * WITH_LOCK is false.  It is valid until names_end.  False if it cannot be
 * made: see errno.
 */
struct state_names {
	char path[NAMES_MAX];
	int dir; /* of the links; -1 if there are none */
};

bool names_of(const struct store *store, const struct files *files,
    bool with_lock, struct state_names *names);

/* Close what names_of has opened.  LMDB keeps its files open. */
void names_end(struct state_names *names);

#endif
