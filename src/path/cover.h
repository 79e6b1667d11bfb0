/*
 * cover.h -- which of some places is a given one, or a directory above it.
 *
 * To compare each place with each would take the square of their number, which
 * whoever writes a workflow chooses.  Here a question costs what the depth of
 * its name is.
 */
#ifndef READCACHE_PATH_COVER_H
#define READCACHE_PATH_COVER_H

#include "path/where.h"

#define COVER_NONE SIZE_MAX

struct cover;

/* No places yet, with room for N. */
struct cover *cover_new(struct arena *arena, size_t n);

/*
 * One more place, by its name (where.h); the first one is number 0.  NAME must
 * live as long as COVER.
 */
void cover_add(struct cover *cover, struct span name);

/*
 * The least number of a place other than EXCEPT that is NAME or above it;
 * COVER_NONE if there is none.  A second place of one name may be left out
 * where the first one is EXCEPT.
 */
size_t cover_find(
    const struct cover *cover, struct span name, size_t except);

#endif
