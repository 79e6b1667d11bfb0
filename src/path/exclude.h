/*
 * exclude.h -- files that are never cached, because they look like secrets
 * (SPEC 12).
 */
#ifndef READCACHE_PATH_EXCLUDE_H
#define READCACHE_PATH_EXCLUDE_H

#include "base/span.h"

/*
 * Does PATH look like a secret?  By its last component, by its last two
 * components, or by a directory it is in.  Case does not matter.  A copy that
 * an editor or a careful user has made ("id_rsa.bak") counts too.
 */
bool exclude_matches(struct span path);

/* The same of what may be a directory: then all in it would look like one. */
bool exclude_matches_place(struct span path);

#endif
