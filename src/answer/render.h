/*
 * render.h -- the text that the model sees (SPEC 9).
 */
#ifndef READCACHE_ANSWER_RENDER_H
#define READCACHE_ANSWER_RENDER_H

#include "base/excerpt.h"
#include "diff/unified.h"

/*
 * Write the marker for the lines SHOWN.  ELSEWHERE: the file has changed, but
 * not in these lines.
 */
void render_marker(struct buf *buf, const struct excerpt *shown,
    bool elsewhere);

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
    bool elsewhere);
struct render_size render_diff_size(struct arena *arena,
    const struct diff *diff, uint64_t total, struct span asked);

#endif
