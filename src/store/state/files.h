/*
 * files.h -- the two files of the database, made, checked and opened before
 * LMDB opens them.
 *
 * LMDB follows links, and believes what it finds to a degree that a made-up
 * file can have it write anywhere.  So it finds only what was made here: both
 * files are plain files of ours with one name each, in a directory that is
 * open to nobody else; and a third file says, by the user's key (key.h), which
 * two files were made here.  A database that came with the store, or with a
 * pull, is replaced by an empty one.
 *
 * They are held open, and LMDB opens them through these descriptors (names.h):
 * whoever changes a name in the store meanwhile changes nothing for LMDB.
 */
#ifndef READCACHE_STORE_STATE_FILES_H
#define READCACHE_STORE_STATE_FILES_H

#include "store/dir.h"
#include "store/store.h"

#define FILES_DATA "state.mdb"
#define FILES_LOCK "state.mdb-lock"
#define FILES_OWN "state.mdb-own"

/* Both files, open; -1: not. */
struct files {
	int data, lock;
};

/*
 * Open both files in ROOT, the root of STORE, as WANT says.  DIR_MAKE makes
 * them, in place of what cannot be used.  False if they are not to be opened.
 *
 * To close a file gives up all locks that this process has on it, and LMDB
 * has some: open them before LMDB does, and close them after it has closed.
 */
bool files_open(struct store *store, int root, enum dir_want want,
    struct files *files);

void files_close(struct files *files);

/* Remove them. */
void files_remove(int root);

#endif
