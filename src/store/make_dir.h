/*
 * make_dir.h -- a directory that its owner can use, whatever the umask.
 */
#ifndef READCACHE_STORE_MAKE_DIR_H
#define READCACHE_STORE_MAKE_DIR_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Make the directory NAME in AT with MODE, less what the umask takes from group
 * and others.  True also if something with that name is there.  False: see
 * errno.
 *
 * The umask is that of all threads.  It is changed, for a moment, only if it
 * takes rights from the owner.
 */
bool make_dir(int at, const char *name, mode_t mode);

#endif
