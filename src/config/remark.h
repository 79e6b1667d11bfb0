/*
 * remark.h -- what has to be said about a settings file.
 *
 * Sentences quote what stands in the file, which nobody has checked: make
 * them harmless before they reach a terminal.
 */
#ifndef READCACHE_CONFIG_REMARK_H
#define READCACHE_CONFIG_REMARK_H

#include "base/buf.h"

struct remark {
	const struct remark *next;
	struct span file; /* or the variable that it is about */
	struct span sentence;
};

/* In the order in which they were made. */
struct remarks {
	struct remark *first, *last;
	size_t n;
};

/* Add a copy of SENTENCE.  Beyond some number of them none is added. */
void remark_add(struct arena *arena, struct remarks *remarks,
    struct span file, struct span sentence);

/* TEXT in quotes, cut if it is long. */
void remark_quote(struct buf *buf, struct span text);

#endif
