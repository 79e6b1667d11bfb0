/*
 * useful.h -- is a diff worth more than the text? (SPEC 10)
 */
#ifndef READCACHE_DIFF_USEFUL_H
#define READCACHE_DIFF_USEFUL_H

#include <stdbool.h>
#include <stdint.h>

/* Beyond this a diff is not even tried. */
bool diff_worth_trying(uint64_t bytes, uint64_t lines);

struct diff_cost {
	uint64_t answer_bytes, answer_lines; /* all that would be served */
	uint64_t diff_lines;
	uint64_t plain_bytes, plain_lines;
};

bool diff_useful(const struct diff_cost *cost);

#endif
