/*
 * measure.h -- is it text, and how many lines has it?
 *
 * Both are told piece by piece, as a file is read, while the processor still
 * has the bytes at hand.
 */
#ifndef READCACHE_FILE_MEASURE_H
#define READCACHE_FILE_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

/* Begin with MEASURE_NOTHING. */
struct measure {
	size_t passed;  /* bytes that were looked at */
	size_t checked; /* characters end there */
	uint64_t lines; /* of what was passed */
	bool broken;    /* it is no UTF-8 */
};

#define MEASURE_NOTHING ((struct measure){.lines = 1})

/* SO_FAR begins with what was passed before, wherever that lies by now. */
void measure_more(struct measure *measure, struct span so_far);

/* Nothing follows ALL. */
void measure_end(struct measure *measure, struct span all);

#endif
