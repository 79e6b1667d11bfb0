/*
 * mistake.h -- what is wrong with a workflow file.
 *
 * All of it is collected, so that a file is mended in one go.
 */
#ifndef READCACHE_WORK_WORKFLOW_MISTAKE_H
#define READCACHE_WORK_WORKFLOW_MISTAKE_H

#include <stdint.h>

#include "base/buf.h"

struct mistake {
	struct span file;
	uint64_t line;	  /* 0: the file as a whole */
	struct span node; /* its id, or empty */
	struct span sentence;
	struct mistake *next;
};

struct mistakes {
	struct arena *arena;
	struct mistake *first, *last;
	size_t n;
};

/*
 * Note a mistake.  The sentence is put together from strings, the last one is
 * followed by NULL.
 */
__attribute__((sentinel)) void mistake_add(struct mistakes *mistakes,
    struct span file, uint64_t line, struct span node, ...);

/* "FILE:LINE: node 'ID': SENTENCE" and a newline. */
void mistake_write(struct buf *buf, const struct mistake *mistake);

#endif
