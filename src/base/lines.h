/*
 * lines.h -- text as the host's lines.
 *
 * Lines are separated by LF.  A text has (number of LF) + 1 lines, so a text
 * that ends with LF has an empty last line, and the empty text has one line.
 * Lines are numbered from 1.
 */
#ifndef READCACHE_BASE_LINES_H
#define READCACHE_BASE_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/span.h"

uint64_t lines_count(struct span text);

/* Take the first line off TEXT, with its LF.  The result is without it. */
static inline struct span
lines_take(struct span *text)
{
	const char *lf = memchr(text->p, '\n', text->n);
	size_t n = lf != NULL ? (size_t)(lf - text->p) : text->n;
	struct span line = {text->p, n};

	*text = span_from(*text, lf != NULL ? n + 1 : n);
	return line;
}

/*
 * The text from line FIRST to line LAST, without the LF that ends line LAST.
 * False if TEXT has no line LAST.
 */
bool lines_slice(struct span text, uint64_t first, uint64_t last,
    struct span *slice);

/* The text from line FIRST to the end.  False if TEXT has no line FIRST. */
bool lines_from(struct span text, uint64_t first, struct span *slice);

/*
 * An index of a text whose lines are asked for many times: where every
 * LINES_STRIDE-th line begins.  Making it takes one pass over the text.
 */
struct lines {
	struct span text;
	size_t *begins; /* of every LINES_STRIDE-th line */
	uint64_t n;	/* lines */
};

enum { LINES_STRIDE = 32 };

struct lines lines_index(struct arena *arena, struct span text);

/*
 * The text from line FIRST to line LAST, without the LF that ends line LAST.
 * The time does not depend on where the lines are.  False if there is no such
 * range.
 */
bool lines_find(const struct lines *lines, uint64_t first, uint64_t last,
    struct span *slice);

#endif
