/*
 * hash.h -- the hash of a file, without reading it again if it is as it was.
 *
 * "As it was" is: the same device, inode, size, time of modification and time
 * of change, to the nanosecond.  All of them, because an edit can keep any
 * but the last one.  And nothing is believed of a file that was touched just
 * before it was hashed (20 ms, or 2 s where the file system keeps whole
 * seconds only): a second edit in the same tick of the clock would look the
 * same.  With no state (NULL) every file is read.
 */
#ifndef READCACHE_WORK_FINGERPRINT_HASH_H
#define READCACHE_WORK_FINGERPRINT_HASH_H

#include <sys/stat.h>

#include "base/digest.h"
#include "store/state/state.h"
#include "work/fingerprint/still.h"

enum hashed {
	HASHED,
	HASHED_ABSENT,	  /* there is nothing of that name */
	HASHED_DIRECTORY, /* a directory: ST is set */
	HASHED_NOT	  /* a device, unreadable, or it does not keep still:
			   * nobody can say what it holds; errno may tell */
};

struct hasher {
	struct arena *arena;
	struct state *state; /* NULL: read every file */
	uint64_t reads;	     /* files that had to be read, and their bytes */
	uint64_t read_bytes;
	struct still *still; /* NULL, or who notes what is met (still.h) */
	const struct span *made; /* places that the work itself makes: */
	size_t nmade;		 /* no pattern of a fingerprint names them */
	char *step;		 /* its own: what is being read */
};

/*
 * The hash of what PATH leads to (links are followed), relative to the
 * directory AT (AT_FDCWD, or a descriptor).  ST, if not NULL, gets the facts
 * the hash belongs to: nothing was changed between them and the end of
 * reading.  New hashes are put into the state; the caller flushes.
 */
enum hashed hash_file(struct hasher *hasher, int at, const char *path,
    struct digest *hash, struct stat *st);

/* The same for an open regular FD, from its beginning. */
enum hashed hash_open_file(
    struct hasher *hasher, int fd, struct digest *hash, struct stat *st);

/*
 * Is ST, which was just taken, what was hashed before?  Only the state is
 * asked: nothing is read.
 */
bool hash_known(
    struct hasher *hasher, const struct stat *st, struct digest *hash);

/* Do A and B describe the same file with the same content? */
bool hash_same_facts(const struct stat *a, const struct stat *b);

/*
 * Does its file system keep whole seconds only?  (ext2 and ext3, ext4 with
 * small inodes, FAT, HFS+, some servers.)  Told by the time of change, which
 * nobody can set; by chance true once in a while elsewhere.
 */
bool hash_is_coarse(const struct stat *st);

/* The clock of file times, in nanoseconds since 1970. */
int64_t hash_now(void);

/* ST was taken at SINCE or later: would every change since then show in it? */
bool hash_is_settled(const struct stat *st, int64_t since);

#endif
