/*
 * identity.h -- which file is it, even if its number is used again?
 */
#ifndef READCACHE_OS_IDENTITY_H
#define READCACHE_OS_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * BORN is when the file was made; both numbers are 0 if the file system does
 * not say, and with the twin always.  A file that was made in the place of
 * another one may then have the same identity.
 */
struct identity {
	uint64_t inode, born_s, born_ns;
	mode_t mode;
	uid_t owner;
	uint64_t names;
};

/* The identity of the open file FD.  False on failure: errno says why. */
bool identity_of(int fd, struct identity *identity);

#endif
