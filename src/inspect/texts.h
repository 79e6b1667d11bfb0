/*
 * texts.h -- the texts of lines, each kept once: equal texts have equal
 * numbers.
 *
 * TEXT_HIDDEN is the number of a text that the reader has, but we have not: it
 * may be any.  In a joined text it is TEXTS_HIDDEN, and the other way round.
 */
#ifndef READCACHE_INSPECT_TEXTS_H
#define READCACHE_INSPECT_TEXTS_H

#include <stdbool.h>

#include "base/map.h"

enum { TEXT_NONE, TEXT_HIDDEN, TEXT_FIRST };

/* UTF-8, without line ends, and in no file. */
#define TEXTS_HIDDEN "\x01\x02\x03\x04\x03\x02\x01"

struct texts {
	struct arena *arena;
	struct map *by_text;
	struct span *list; /* by number */
	uint32_t n;
	size_t room;
};

struct texts texts_new(struct arena *arena);

/* The number of TEXT, from 1 on.  A new text is copied. */
uint32_t texts_number(struct texts *texts, struct span text);

/* May A and B be the same text? */
static inline bool
texts_same(uint32_t a, uint32_t b)
{
	return a == b || a == TEXT_HIDDEN || b == TEXT_HIDDEN;
}

/* Lines in a row, as numbers. */
struct column {
	uint32_t *texts;
	uint64_t n;
};

/* Is a line of COLUMN hidden? */
bool texts_hidden(struct column column);

/* The lines of TEXT as numbers, in ARENA.  New lines are added. */
struct column texts_split(struct texts *texts, struct span text,
    struct arena *arena);

/* The lines of TEXT as numbers, in ARENA.  A line that is not kept is 0. */
struct column texts_look_up(const struct texts *texts, struct span text,
    struct arena *arena);

/* COLUMN as one text, in ARENA. */
struct span texts_join(const struct texts *texts, struct column column,
    struct arena *arena);

#endif
