/*
 * render.h -- what the model sees (SPEC 9).
 */
#ifndef READCACHE_ANSWER_RENDER_H
#define READCACHE_ANSWER_RENDER_H

#include "diff/unified.h"
#include "host/pi/view.h"

/*
 * The marker for what VIEW shows.  ELSEWHERE: the file is another version,
 * but these lines are the same.
 */
void render_marker(struct buf *buf, const struct view *view, bool elsewhere);

/* The whole text of a diff answer.  ASKED: the path as the model wrote it. */
void render_diff(struct buf *buf, const struct diff *diff, uint64_t total,
    struct span asked);

#endif
