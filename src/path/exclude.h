/*
 * exclude.h -- files that are never cached, for they look like secrets
 * (SPEC 12).
 */
#ifndef READCACHE_PATH_EXCLUDE_H
#define READCACHE_PATH_EXCLUDE_H

#include "base/arena.h"

/*
 * By the name of PATH (its last component), by where it lies (the last two),
 * or by a directory that it is in; whatever the case of its letters, and also
 * as the copy that an editor or a careful user has made ("id_rsa.bak").
 */
bool exclude_matches(struct arena *arena, struct span path);

#endif
