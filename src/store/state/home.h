/*
 * home.h -- where the database of a store is.
 *
 * Not in the store.  LMDB trusts its files: whoever can write them can have it
 * write anywhere in our memory, and its lock file holds mutexes of the C
 * library, which are no safer.  What may write in the project may be a
 * stranger, or a build in a sandbox.  So the database is beside the user's key
 * (key.h), in states/<name>/.  Both directories are made here, are the user's
 * own with mode 0700, and are not reached through a link.  The name is a mac of
 * what the store is known by: its path, and its id (owner.h) or, if the user
 * has named it, which directory it is.  So a store that is moved, copied or
 * made anew begins with an empty database.
 *
 * A database that is to go first gets another name, with its directory.  So the
 * two files in a directory always belong together.
 */
#ifndef READCACHE_STORE_STATE_HOME_H
#define READCACHE_STORE_STATE_HOME_H

#include "base/tag.h"
#include "store/dir.h"
#include "store/store.h"

#define HOME_DATA "state.mdb"
#define HOME_LOCK "state.mdb-lock"

enum { HOME_NAME = 32 };

/* The directory of a store's database, open. */
struct home {
	int states, dir;	  /* descriptors of the store's arena */
	char name[HOME_NAME + 1]; /* of DIR in STATES */
	struct span path;	  /* of DIR */
	struct tag key;		  /* for the checks of entries (state.c) */
};

/*
 * Find the directory for STORE, whose root is ROOT.  With DIR_MAKE it and its
 * files are made if they are missing.  False if it is not there or cannot be
 * used; nothing is open then.
 */
bool home_open(
    struct store *store, int root, enum dir_want want, struct home *home);

/* Is HOME, which was opened before, still the directory of its path? */
bool home_is_current(const struct store *store, const struct home *home);

void home_close(struct store *store, struct home *home);

/* The size of the data's file; 0 if it cannot be seen. */
uint64_t home_size(const struct home *home);

/*
 * Remove the database.  Whoever has it open can go on, and loses what is
 * written there.  False if it is still there.
 */
bool home_remove(struct home *home);

/*
 * Remove databases that were not used for HOME_DAYS, except HOME itself.  What
 * stores they belong to is not looked at: they may be on a disk that does not
 * answer.  Done at most once a day.
 */
void home_tidy(struct home *home);

enum { HOME_DAYS = 90 };

#endif
