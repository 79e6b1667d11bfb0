/*
 * texts.h -- the texts of lines, each kept once: equal texts have equal
 * numbers.
 */
#ifndef READCACHE_INSPECT_TEXTS_H
#define READCACHE_INSPECT_TEXTS_H

#include "base/map.h"

struct texts {
	struct arena *arena;
	struct map *by_text;
	struct span *list; /* by number */
	uint32_t n, room;
};

struct texts texts_new(struct arena *arena);

/* The number of TEXT, from 1 on.  A new text is copied. */
uint32_t texts_number(struct texts *texts, struct span text);

/* Lines in a row, as numbers. */
struct column {
	uint32_t *texts;
	uint64_t n;
};

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
