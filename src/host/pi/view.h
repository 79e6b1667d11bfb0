/*
 * view.h -- what the host's own read would show (SPEC 3), as numbers.
 *
 * The text shown is always one piece of the file.  So a view says where that
 * piece is, which lines it has, and which notice follows it.
 */
#ifndef READCACHE_HOST_PI_VIEW_H
#define READCACHE_HOST_PI_VIEW_H

#include "base/excerpt.h"

enum { VIEW_MAX_LINES = 2000, VIEW_MAX_BYTES = 51200 };

enum view_notice {
	VIEW_WHOLE,          /* it goes to the end of the file: no notice */
	VIEW_MORE,           /* the limit asked for ended before the file */
	VIEW_CUT_LINES,      /* cut at the host's line limit */
	VIEW_CUT_BYTES,      /* cut at the host's byte limit */
	VIEW_FIRST_TOO_LONG  /* not even one line fits: nothing is shown */
};

struct view {
	enum view_notice notice;
	struct span text;        /* the piece of the file that is shown */
	uint64_t total;          /* lines of the file */
	uint64_t first, last;    /* lines shown */
	uint64_t selected_lines; /* before the cut, as the host counts them */
	uint64_t selected_bytes;
	uint64_t first_line_bytes;
};

/*
 * The view of the lines from OFFSET on (1 is the first), at most LIMIT (0:
 * all), of BYTES, which has TOTAL lines.  False if there is no line OFFSET;
 * then only first and total are set.
 */
bool view_make(struct span bytes, uint64_t total, uint64_t offset,
    uint64_t limit, struct view *view);

/* Was something cut off by the host's own limits? */
bool view_truncated(const struct view *view);

/* Full, or the lines shown (T1).  Do not ask if nothing is shown. */
struct scope view_scope(const struct view *view);

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
