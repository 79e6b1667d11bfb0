/*
 * lines.h -- text as the host's lines.
 *
 * A line is what stands between LF bytes.  A text has (number of LF) + 1
 * lines, so one that ends with LF has an empty last line, and the empty text
 * has one line.  Lines are numbered from 1.
 */
#ifndef READCACHE_BASE_LINES_H
#define READCACHE_BASE_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/span.h"

uint64_t lines_count(struct span text);

/*
 * The text from line FIRST to line LAST without the LF behind it.  False if
 * TEXT has no line LAST.
 */
bool lines_slice(struct span text, uint64_t first, uint64_t last,
    struct span *slice);

/* The text from line FIRST to its end.  False if TEXT has no line FIRST. */
bool lines_from(struct span text, uint64_t first, struct span *slice);

/*
 * A text whose lines are asked for again and again: where some of them begin.
 * It is gone through once.
 */
struct lines {
	struct span text;
	size_t *begins; /* of every LINES_STRIDE-th line */
	uint64_t n;	/* lines */
};

enum { LINES_STRIDE = 32 };

struct lines lines_index(struct arena *arena, struct span text);

/* lines_slice, in a time that does not depend on where they are. */
bool lines_find(const struct lines *lines, uint64_t first, uint64_t last,
    struct span *slice);

#endif
