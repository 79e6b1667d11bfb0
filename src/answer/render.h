/*
 * render.h -- the text that the model sees (SPEC 9).
 */
#ifndef READCACHE_ANSWER_RENDER_H
#define READCACHE_ANSWER_RENDER_H

#include "diff/unified.h"
#include "host/pi/view.h"

/*
 * Write the marker for what VIEW shows.  ELSEWHERE: the file has changed, but
 * not in these lines.
 */
void render_marker(struct buf *buf, const struct view *view, bool elsewhere);

/*
 * Write the whole text of a diff answer.  ASKED is the path as the model wrote
 * it.
 */
void render_diff(struct buf *buf, const struct diff *diff, uint64_t total,
    struct span asked);

#endif
