/*
 * cover.h -- find, among some places, one that is a given place or above it.
 *
 * Comparing all pairs would take the square of their number, and whoever writes
 * a workflow chooses that number.  Here a question costs no more than the depth
 * of its name.
 */
#ifndef READCACHE_PATH_COVER_H
#define READCACHE_PATH_COVER_H

#include "base/map.h"
#include "path/where.h"

#define COVER_NONE SIZE_MAX

struct cover;

/* An empty set with room for about N places. */
struct cover *cover_new(struct arena *arena, size_t n);

/*
 * Add a place by its name (where.h).  Places are numbered from 0.  NAME must
 * live as long as COVER.
 */
void cover_add(struct cover *cover, struct span name);

/*
 * The lowest number of a place other than EXCEPT that is NAME or a directory
 * above NAME.  COVER_NONE if there is none.
 *
 * Of several places with the same name only the first may be known.  So if
 * EXCEPT is that first one, the others may be missed.
 */
size_t cover_find(
    const struct cover *cover, struct span name, size_t except);

/*
 * Put all directories above the place NAME into ABOVE, with NUMBER, which is
 * another one for each place.  NAME must live as long as ABOVE.
 */
void cover_note_above(struct map *above, struct span name, uint64_t number);

#endif
