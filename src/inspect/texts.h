/*
 * texts.h -- the texts of lines, each kept once: equal texts, equal numbers.
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

/* The number of TEXT, from 1 on.  A new one is copied. */
uint32_t texts_number(struct texts *texts, struct span text);

/* Lines one behind the other, as numbers. */
struct column {
	uint32_t *texts;
	uint64_t n;
};

/* The lines of TEXT, in ARENA. */
struct column texts_split(struct texts *texts, struct span text,
    struct arena *arena);

/* The same, but a line that is not kept has the number 0. */
struct column texts_look_up(const struct texts *texts, struct span text,
    struct arena *arena);

/* The text that COLUMN is, in ARENA. */
struct span texts_join(const struct texts *texts, struct column column,
    struct arena *arena);

#endif
