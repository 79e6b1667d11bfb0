/*
 * unit_view.h -- views of texts that nobody has counted before.
 */
#ifndef READCACHE_TESTS_UNIT_VIEW_H
#define READCACHE_TESTS_UNIT_VIEW_H

#include "unit.h"

#include "base/lines.h"
#include "host/pi/view.h"

static inline bool
unit_view(struct span bytes, uint64_t offset, uint64_t limit,
    struct view *view)
{
	return view_make(bytes, lines_count(bytes), offset, limit, view);
}

/* What the host's own read of these lines shows; they must exist. */
static inline struct excerpt
unit_shown(struct arena *arena, struct span bytes, uint64_t offset,
    uint64_t limit)
{
	struct view view;

	assert_true(unit_view(bytes, offset, limit, &view));
	return view_excerpt(arena, &view, SPAN("some/path.txt"));
}

#endif
