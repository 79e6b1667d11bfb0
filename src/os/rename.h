/*
 * rename.h -- renaming that takes nothing away.
 *
 * False on failure: errno says why.
 */
#ifndef READCACHE_OS_RENAME_H
#define READCACHE_OS_RENAME_H

#include <stdbool.h>

/*
 * Exchange the names ONE and OTHER in DIR, both of which exist.  EINVAL or
 * ENOSYS says that this file system or this system cannot; the twin never can.
 */
bool rename_exchange(int dir, const char *one, const char *other);

/*
 * Rename FROM in DIR to TO, which must not exist: EEXIST says that it does.
 *
 * Where the system cannot do that in one step (the twin; some file systems),
 * rename_by_steps does it.
 */
bool rename_new(int dir, const char *from, const char *to);

/*
 * As rename_new.  A file gets its new name before it loses the old one, so for
 * a moment it has both.  A directory could take the place of an empty one that
 * somebody makes at this moment, and on a file system without second names a
 * file the place of a file.
 */
bool rename_by_steps(int dir, const char *from, const char *to);

#endif
