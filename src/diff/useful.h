/*
 * useful.h -- is a diff better than the text? (SPEC 10)
 */
#ifndef READCACHE_DIFF_USEFUL_H
#define READCACHE_DIFF_USEFUL_H

#include <stdbool.h>
#include <stdint.h>

/* Larger files are not compared, unless the settings say otherwise. */
#define DIFF_MAX_BYTES ((uint64_t)2 * 1024 * 1024)
#define DIFF_MAX_LINES ((uint64_t)12000)

struct diff_cost {
	uint64_t answer_bytes, answer_lines; /* everything that would be sent */
	uint64_t diff_lines;
	uint64_t plain_bytes, plain_lines;
};

/* Is the answer small enough, and clearly smaller than the plain one? */
bool diff_useful(const struct diff_cost *cost);

#endif
