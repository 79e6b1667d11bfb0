/*
 * hash.h -- the hash of a file, without reading it again if it did not change.
 *
 * "Did not change" means: the same device, inode, size, modification time and
 * change time, to the nanosecond.  All of them, because an edit can keep any
 * of them except the last.  A hash is not remembered if the file was touched
 * just before (20 ms, or 2 s where the file system keeps whole seconds only):
 * a second edit in the same tick of the clock would not show.  Without a state
 * (NULL) every file is read.
 */
#ifndef READCACHE_WORK_FINGERPRINT_HASH_H
#define READCACHE_WORK_FINGERPRINT_HASH_H

#include <sys/stat.h>

#include "base/digest.h"
#include "store/state/state.h"
#include "work/fingerprint/still.h"

enum hashed {
	HASHED,
	HASHED_ABSENT,	  /* nothing has that name */
	HASHED_DIRECTORY, /* a directory; ST is set */
	/*
	 * A device, unreadable, or changed while it was read: its content is
	 * not known.  errno may say why.
	 */
	HASHED_NOT
};

struct hasher {
	struct arena *arena;
	struct state *state; /* NULL: read every file */
	uint64_t reads;	     /* files that were read, and their bytes */
	uint64_t read_bytes;
	struct still *still; /* notes what is met (still.h), or NULL */
	const struct span *made; /* places that the work itself makes: */
	size_t nmade;		 /* fingerprints do not match them */
	char *step;		 /* private: the buffer for reading */
};

/*
 * Hash the file that PATH leads to; links are followed.  PATH is relative to
 * the directory AT (a descriptor, or AT_FDCWD).  ST, if not NULL, gets the
 * facts that belong to the hash: the file was not changed between them and the
 * end of reading.  New hashes are put into the state, which the caller
 * flushes.
 */
enum hashed hash_file(struct hasher *hasher, int at, const char *path,
    struct digest *hash, struct stat *st);

/*
 * Hash the open file FD from its beginning, as hash_file does.  ST must not be
 * NULL; hasher->still is not used.
 */
enum hashed hash_open_file(
    struct hasher *hasher, int fd, struct digest *hash, struct stat *st);

/*
 * Is the hash of the file with the facts ST, which were just taken, in the
 * state?  The file is not read.
 */
bool hash_known(
    struct hasher *hasher, const struct stat *st, struct digest *hash);

/* Do A and B describe the same file with the same content? */
bool hash_same_facts(const struct stat *a, const struct stat *b);

/*
 * Does the file system of ST keep whole seconds only?  (ext2 and ext3, ext4
 * with small inodes, FAT, HFS+, some servers.)  Decided by the change time,
 * which nobody can set.  Elsewhere it is true by chance once in a while.
 */
bool hash_is_coarse(const struct stat *st);

/* Now, by the clock of file times: nanoseconds since 1970. */
int64_t hash_now(void);

/*
 * ST was taken at SINCE or later.  Would every change after SINCE show in it?
 */
bool hash_is_settled(const struct stat *st, int64_t since);

#endif
