/*
 * recorded.h -- from a text that the host's read once gave, back to its view
 * (SPEC 3).
 */
#ifndef READCACHE_HOST_PI_RECORDED_H
#define READCACHE_HOST_PI_RECORDED_H

#include "host/pi/view.h"

/*
 * Find the view that TEXT shows, when the host was asked for LIMIT lines from
 * OFFSET on (0: not given).  False if it shows no line, or is not such a text.
 * The view's text is a part of TEXT.  What was selected before a cut is not
 * known.
 */
bool recorded_view(struct arena *arena, struct span text, uint64_t offset,
    uint64_t limit, struct view *view);

/*
 * Is TEXT, with the blank line before it, the notice for the lines FIRST..LAST
 * that the limits have cut?  *TOTAL is how many lines it says the file has.
 */
bool recorded_notice(struct arena *arena, struct span text, uint64_t first,
    uint64_t last, uint64_t *total);

#endif
