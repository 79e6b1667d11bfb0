/*
 * files.h -- the two files of the database, made and checked before LMDB
 * opens them by their names.
 *
 * LMDB follows links, and believes what it finds to a degree that a made-up
 * file can have it write anywhere.  So it finds only what was made here: both
 * files are there when it is called, they are plain files of ours with one
 * name each, in a directory that is open to nobody else; and a third file
 * says, by the user's key (key.h), which two files were made here.  A database
 * that came with the store, or with a pull, is replaced by an empty one.
 */
#ifndef READCACHE_STATE_FILES_H
#define READCACHE_STATE_FILES_H

#include <stdint.h>

#include "store/dir.h"
#include "store/store.h"

#define FILES_DATA "state.mdb"
#define FILES_LOCK "state.mdb-lock"
#define FILES_OWN "state.mdb-own"

/* Which two files they are. */
struct files {
	struct files_one {
		uint64_t inode, born_s, born_ns;
	} data, lock;
};

/*
 * Have both files in ROOT, the root of STORE, to be opened as WANT says.
 * DIR_MAKE makes them, in place of what cannot be used.  False if they are
 * not to be opened.
 */
bool files_ready(struct store *store, int root, enum dir_want want,
    struct files *files);

/* Are they still the same? */
bool files_same(int root, const struct files *files);

/* Remove them. */
void files_remove(int root);

#endif
