/*
 * measure.h -- is it text, and how many lines does it have?
 *
 * Both are found out piece by piece, as a file is read, while the bytes are
 * still in the processor's cache.
 */
#ifndef READCACHE_FILE_MEASURE_H
#define READCACHE_FILE_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

/* Start with MEASURE_NOTHING. */
struct measure {
	size_t passed;  /* bytes counted so far */
	size_t checked; /* bytes checked so far; whole characters */
	uint64_t lines; /* of what was passed */
	bool broken;    /* it is not UTF-8 */
};

#define MEASURE_NOTHING ((struct measure){.lines = 1})

/*
 * Measure what is new in SO_FAR.  SO_FAR begins with the bytes of the last
 * call, which may have moved in memory.
 */
void measure_more(struct measure *measure, struct span so_far);

/* Measure what is new in ALL.  Nothing follows it. */
void measure_end(struct measure *measure, struct span all);

#endif
