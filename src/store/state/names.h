/*
 * names.h -- a name by which LMDB opens two files that are open already.
 *
 * LMDB takes a name, opens it and the same name with "-lock", and follows
 * links on the way.  In a store, a process that may write there and nowhere
 * else could put a link at either name just then, and LMDB would write
 * through it.  So LMDB is given a name in a directory beside the user's key,
 * where no project reaches: there, "5.6" is a link to /proc/self/fd/5 and
 * "5.6-lock" one to /proc/self/fd/6.  The links say the same for every
 * process, so they stay for the next one.
 */
#ifndef READCACHE_STORE_STATE_NAMES_H
#define READCACHE_STORE_STATE_NAMES_H

#include "store/state/files.h"

enum { NAMES_MAX = 64 };

/*
 * The name of FILES, to be opened with both files, or without the lock.  It
 * serves until names_end.  False if there can be none: errno tells.
 */
struct state_names {
	char path[NAMES_MAX];
	int dir; /* where the links are; -1: there are none */
};

bool names_of(const struct store *store, const struct files *files,
    bool with_lock, struct state_names *names);

void names_end(struct state_names *names);

#endif
