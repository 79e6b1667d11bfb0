/*
 * files.h -- the two files of the database, made and checked before LMDB
 * opens them by their names.
 *
 * LMDB follows links and takes what it finds.  So it finds only what was
 * made here: both files are there when it is called, they are plain files of
 * ours with one name each, in a directory that is open to nobody else.
 */
#ifndef READCACHE_STATE_FILES_H
#define READCACHE_STATE_FILES_H

#include <stdint.h>

#include "store/dir.h"
#include "store/store.h"

#define FILES_DATA "state.mdb"
#define FILES_LOCK "state.mdb-lock"

/* Which two files they are. */
struct files {
	struct files_one {
		uint64_t inode, born_s, born_ns;
	} data, lock;
};

/*
 * Have both files in ROOT, the root of a store, to be opened as WANT says.
 * DIR_MAKE makes them, in place of what cannot be used.  False if they are
 * not to be opened.
 */
bool files_ready(int root, enum dir_want want, struct files *files);

/* Are they still the same? */
bool files_same(int root, const struct files *files);

/* Remove them. */
void files_remove(int root);

#endif
