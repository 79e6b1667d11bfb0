/*
 * links.h -- which names are links, for thousands of names.
 *
 * A directory in which many names are asked for is read once, which answers for
 * all its names.  Use it only while nothing else happens, as when a workflow is
 * loaded: a link that is made after its directory was read is not seen.
 */
#ifndef READCACHE_PATH_LINKS_H
#define READCACHE_PATH_LINKS_H

#include "base/arena.h"

struct links;

struct links *links_new(struct arena *arena);

/*
 * May NAME be a link?  NAME is absolute, and no directory on the way to it is a
 * link.  False is certain.  True means yes or unknown.  If LINKS is NULL the
 * answer is always true.
 */
bool links_may_be(struct links *links, struct span name);

#endif
