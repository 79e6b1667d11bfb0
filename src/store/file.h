/*
 * file.h -- the files of the store, opened and looked at before they change.
 *
 * Whoever can write in a project can put anything at a name of the store, at
 * any moment: a link, a pipe, a second name of a file of the user's.  So two
 * rules hold for every file of the store:
 *
 * 1. A name is one component below an open directory of the store (dir.h).  No
 *    link is followed, no open waits, and only regular files are used.
 * 2. Before the bytes, the mode or the times of a file are changed that was
 *    there already, file_is_alone is asked last.
 *
 * A file that O_EXCL has made is ours, and needs neither.
 */
#ifndef READCACHE_STORE_FILE_H
#define READCACHE_STORE_FILE_H

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>

/* How every name that may be there already is opened; "to read" is the rest. */
#define FILE_SAFELY (O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

/*
 * Open NAME in DIR to be read.  -1: see errno.  It may be anything but a link:
 * slurp and hash_open_file refuse what is not a regular file.
 */
static inline int
file_open(int dir, const char *name)
{
	return openat(dir, name, O_RDONLY | FILE_SAFELY);
}

/*
 * Is the open file with the facts ST a regular file of this user, and is NAME
 * in DIR its only name?  Then it is in the store and nowhere else, and may be
 * changed by its descriptor.
 *
 * Asked by the name, and last: a count of names that was taken before could be
 * that of a file which has lost its name in the store since.
 */
bool file_is_alone(int dir, const char *name, const struct stat *st);

/* Does ST describe a regular file of this user? */
bool file_is_ours(const struct stat *st);

#endif
