/*
 * descriptor.h -- open files by their descriptors.
 */
#ifndef READCACHE_OS_DESCRIPTOR_H
#define READCACHE_OS_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>

enum { DESCRIPTOR_PATH = 32 };

/*
 * A name by which the open file FD, and no other, can be opened again, as
 * wanted, by this process.  It tells nothing about where the file is.  False
 * with ENOSYS if there is no such name.  The twin has none, and macOS neither:
 * its /dev/fd gives the same rights as FD only.
 */
bool descriptor_path(int fd, char path[DESCRIPTOR_PATH]);

/*
 * Where the directory FD is: an absolute name of at most SIZE - 1 bytes, and a
 * zero byte.  The result is its length; 0 if it is not known.  The twin goes to
 * the directory and back to find out, and fails where that is not possible.
 */
size_t descriptor_where(int fd, char *where, size_t size);

/* Close all descriptors from FIRST on. */
void descriptor_close_from(int first);

#endif
