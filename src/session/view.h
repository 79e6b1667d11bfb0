/*
 * view.h -- what the host's own read shows of a file (SPEC 3), as numbers.
 *
 * The text shown is always one piece of the file.  So a view says where that
 * piece is, which lines it has, and which notice follows it.
 */
#ifndef READCACHE_SESSION_VIEW_H
#define READCACHE_SESSION_VIEW_H

#include <stdint.h>

#include "base/scope.h"
#include "base/span.h"

enum view_notice {
	VIEW_WHOLE,	    /* it goes to the end of the file: no notice */
	VIEW_MORE,	    /* the limit asked for ended before the file */
	VIEW_CUT_LINES,	    /* cut at the host's line limit */
	VIEW_CUT_BYTES,	    /* cut at the host's byte limit */
	VIEW_FIRST_TOO_LONG /* not even one line fits: nothing is shown */
};

struct view {
	enum view_notice notice;
	struct span text;	 /* the piece of the file that is shown */
	uint64_t total;		 /* lines of the file */
	uint64_t first, last;	 /* lines shown */
	uint64_t selected_lines; /* before the cut, as the host counts them */
	uint64_t selected_bytes;
	uint64_t first_line_bytes;
};

/* Was something cut off by the host's own limits? */
bool view_truncated(const struct view *view);

/* Full, or the lines shown (T1).  Do not ask if nothing is shown. */
struct scope view_scope(const struct view *view);

#endif
