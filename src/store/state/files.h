/*
 * files.h -- make, check and open the two files of the database before LMDB
 * opens them.
 *
 * LMDB follows links, and trusts a file so much that a forged one can make it
 * write anywhere in memory.  So LMDB only gets files that were made here.
 * Both are regular files of ours with one name each, in a directory that is
 * open to nobody else.  A third file says which two files these are, by a mac
 * with the user's key (key.h).  A database that came with the store, or with a
 * pull, is replaced by an empty one.
 *
 * Both files are held open, and LMDB opens them through these descriptors
 * (names.h): a name that is changed meanwhile does not matter to LMDB.
 */
#ifndef READCACHE_STORE_STATE_FILES_H
#define READCACHE_STORE_STATE_FILES_H

#include "store/dir.h"
#include "store/store.h"

#define FILES_DATA "state.mdb"
#define FILES_LOCK "state.mdb-lock"
#define FILES_OWN "state.mdb-own"

/* Descriptors of both files, or -1. */
struct files {
	int data, lock;
};

/*
 * Open both files in ROOT, the root of STORE.  DIR_MAKE makes new ones if they
 * are missing or were not made here.  False, with none open, if they cannot be
 * used.
 *
 * Closing a file gives up all locks that this process has on it, and LMDB has
 * some.  So open the files before LMDB does, and close them after LMDB has
 * closed.
 */
bool files_open(struct store *store, int root, enum dir_want want,
    struct files *files);

/* Close those that are open. */
void files_close(struct files *files);

/* Remove the three files. */
void files_remove(int root);

#endif
