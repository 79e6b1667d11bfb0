/*
 * excerpt.h -- what a host's own read shows of a file.
 *
 * The lines are always one piece of the file.  The host may write something
 * after them, such as how to go on.  A host makes it (host/pi/view.h); those
 * who answer in its place need to know no more about the host.
 */
#ifndef READCACHE_BASE_EXCERPT_H
#define READCACHE_BASE_EXCERPT_H

#include "base/scope.h"

struct excerpt {
	struct span lines;    /* empty if not even one line is shown */
	struct span after;    /* the host's words after them; may be empty */
	uint64_t first, last; /* lines shown */
	uint64_t total;	      /* lines of the file */
	bool cut; /* by the host's own limits; AFTER says how to go on */
};

/* Full, or the lines shown (T1).  Do not ask if nothing is shown. */
struct scope excerpt_scope(const struct excerpt *excerpt);

/* The whole text of the plain read.  Copied only if something is after it. */
struct span excerpt_text(struct arena *arena, const struct excerpt *excerpt);

/* How many bytes that is. */
uint64_t excerpt_bytes(const struct excerpt *excerpt);

#endif
