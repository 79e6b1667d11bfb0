/*
 * mistake.h -- what is wrong with a workflow file.
 *
 * All mistakes are collected, so that a file can be corrected in one go.
 */
#ifndef READCACHE_WORK_WORKFLOW_MISTAKE_H
#define READCACHE_WORK_WORKFLOW_MISTAKE_H

#include <stdint.h>

#include "base/buf.h"

struct mistake {
	struct span file;
	uint64_t line;	  /* 0: the file as a whole */
	struct span node; /* id of the node, or empty */
	struct span sentence;
	struct mistake *next;
};

struct mistakes {
	struct arena *arena;
	struct mistake *first, *last;
	size_t n;
};

/* Add a mistake.  The sentence is made of strings; NULL ends the list. */
__attribute__((sentinel)) void mistake_add(struct mistakes *mistakes,
    struct span file, uint64_t line, struct span node, ...);

/*
 * Are there so many that one more would only be counted?  Then nothing has to
 * be found out for its sentence.
 */
bool mistakes_are_full(const struct mistakes *mistakes);

/* Write "FILE:LINE: node 'ID': SENTENCE" and a newline. */
void mistake_write(struct buf *buf, const struct mistake *mistake);

#endif
