/*
 * locks.h -- who holds a lock (flock) on a file?
 */
#ifndef READCACHE_OS_LOCKS_H
#define READCACHE_OS_LOCKS_H

#include <stdbool.h>

/*
 * Call HOLDS with the process id of each process that holds a lock on the file
 * FD, until it gives true; that id is the result, or 0.  *TOLD says whether the
 * system named anybody.  The twin names nobody: a command that runs readcache
 * on files that only its own run reads, and would change them, waits for ever.
 */
long locks_find(int fd, bool (*holds)(long pid), bool *told);

#endif
