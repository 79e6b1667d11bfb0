/*
 * render.h -- the text that the model sees (SPEC 9).
 */
#ifndef READCACHE_ANSWER_RENDER_H
#define READCACHE_ANSWER_RENDER_H

#include "base/excerpt.h"
#include "diff/unified.h"

/*
 * Write the marker for the lines SHOWN.  ELSEWHERE: the file has changed, but
 * not in these lines.  AGAIN: it is the same marker as the one before, so it
 * says how to see the text.
 */
void render_marker(struct buf *buf, const struct excerpt *shown,
    bool elsewhere, bool again);

/* Write the end of a marker's line. */
void render_marker_end(struct buf *buf, bool again);

/*
 * Write the whole text of a diff answer.  ASKED is the path as the model wrote
 * it.
 */
void render_diff(struct buf *buf, const struct diff *diff, uint64_t total,
    struct span asked);

/*
 * How large these texts are.  Whether an answer may be compact depends on its
 * size, which is therefore asked for before the text is.  It is measured on the
 * words themselves, except that the hunks of a diff are not copied for it.
 */
struct render_size {
	uint64_t bytes, lines;
};

uint64_t render_marker_size(struct arena *arena, const struct excerpt *shown,
    bool elsewhere, bool again);
struct render_size render_diff_size(struct arena *arena,
    const struct diff *diff, uint64_t total, struct span asked);

#endif
