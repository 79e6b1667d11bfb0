/*
 * links.h -- which names are links, where thousands of names are asked for.
 *
 * A directory in which many are asked for is read once, and tells of all its
 * names.  For a moment in which nothing is done, such as the loading of a
 * workflow: a link that comes after its directory was read is not seen.
 */
#ifndef READCACHE_PATH_LINKS_H
#define READCACHE_PATH_LINKS_H

#include "base/arena.h"

struct links;

struct links *links_new(struct arena *arena);

/*
 * May NAME be a link?  It is absolute, with no link on the way.  False is
 * certain; LINKS may be NULL, which knows nothing.
 */
bool links_may_be(struct links *links, struct span name);

#endif
