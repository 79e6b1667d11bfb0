/*
 * clone.h -- have the system copy a file.
 */
#ifndef READCACHE_OS_CLONE_H
#define READCACHE_OS_CLONE_H

#include <stdbool.h>

/*
 * Copy all of FROM, from where it stands, to TO, which is empty: the blocks are
 * shared if the file system can do that, else the kernel copies.  False if not
 * all could be copied: whoever reads FROM on and writes to TO copies the rest.
 * The twin always leaves all of it.
 */
bool clone_bytes(int from, int to);

#endif
