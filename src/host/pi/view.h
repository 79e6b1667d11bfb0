/*
 * view.h -- what pi's own read would show (SPEC 3): its limits and notices.
 */
#ifndef READCACHE_HOST_PI_VIEW_H
#define READCACHE_HOST_PI_VIEW_H

#include "base/excerpt.h"
#include "session/view.h"

enum { VIEW_MAX_LINES = 2000, VIEW_MAX_BYTES = 51200 };

/*
 * The view of the lines from OFFSET on (1 is the first), at most LIMIT (0:
 * all), of BYTES, which has TOTAL lines.  False if there is no line OFFSET;
 * then only first and total are set.
 */
bool view_make(struct span bytes, uint64_t total, uint64_t offset,
    uint64_t limit, struct view *view);

/*
 * Write the whole text of the plain read.  ASKED is the path as the model wrote
 * it.
 */
void view_write(struct buf *buf, const struct view *view, struct span asked);

/*
 * The same in two parts, for those who answer in the host's place.  The lines
 * are the view's, the words after them are written into ARENA.
 */
struct excerpt view_excerpt(struct arena *arena, const struct view *view,
    struct span asked);

/* Write "[Showing lines ...]", without the blank line before it. */
void view_write_notice(struct buf *buf, const struct view *view);

#endif
