/*
 * remark.h -- what is to be said about a settings file.
 *
 * A sentence may quote text from the file, which is not checked: make it
 * harmless before it reaches a terminal (visible.h).
 */
#ifndef READCACHE_CONFIG_REMARK_H
#define READCACHE_CONFIG_REMARK_H

#include "base/buf.h"

struct remark {
	const struct remark *next;
	struct span file; /* or the variable that it is about */
	struct span sentence;
};

/* In the order in which they were added. */
struct remarks {
	struct remark *first, *last;
	size_t n;
};

/*
 * Add a copy of SENTENCE.  Above a limit nothing is added; the last remark then
 * says that there are more.
 */
void remark_add(struct arena *arena, struct remarks *remarks,
    struct span file, struct span sentence);

/* Append TEXT in quotes, cut if it is long. */
void remark_quote(struct buf *buf, struct span text);

#endif
