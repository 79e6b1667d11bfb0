/*
 * sync.h -- have one file, or many at once, written to the disk.
 */
#ifndef READCACHE_OS_SYNC_H
#define READCACHE_OS_SYNC_H

#include <stdbool.h>

/*
 * Write all that is unwritten of the file system that FD is on, and wait until
 * it is.  False on failure: errno says why.  The twin writes all file systems,
 * and cannot say that it failed; POSIX does not say that sync waits.
 */
bool sync_all(int fd);

/*
 * Write the contents of the file FD, and wait until they are.  False on
 * failure: errno says why.
 */
bool sync_file(int fd);

#endif
