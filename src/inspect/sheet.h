/*
 * sheet.h -- lines of a file by their numbers, which may be far apart.
 */
#ifndef READCACHE_INSPECT_SHEET_H
#define READCACHE_INSPECT_SHEET_H

#include "inspect/texts.h"

struct sheet_line {
	uint32_t text; /* its number (texts.h), or 0: not known */
	bool since;    /* shown after the whole file */
};

enum { SHEET_PAGE = 64 };

struct sheet_page {
	struct sheet_page *next;
	uint64_t number; /* its first line is number * SHEET_PAGE */
	uint64_t epoch;  /* the sheet's; else it holds nothing */
	struct sheet_line lines[SHEET_PAGE];
};

struct sheet {
	struct arena *arena;
	struct map *by_number;
	struct sheet_page *pages; /* in no order */
	size_t npages;
	uint64_t epoch;           /* how often all was forgotten */
	uint64_t top;             /* no line above is known */
};

struct sheet sheet_new(struct arena *arena);

/* What is known of a line; NULL if nothing is. */
struct sheet_line *sheet_find(const struct sheet *sheet, uint64_t line);

void sheet_set(struct sheet *sheet, uint64_t line, struct sheet_line value);

/* Forget what is behind LAST, or all if there is very much. */
void sheet_cut(struct sheet *sheet, uint64_t last);

/* Fill COLUMN with what is known from line FIRST on; 0: nothing. */
void sheet_texts(const struct sheet *sheet, uint64_t first,
    struct column column);

/*
 * The first line from FIRST to LAST that is not known, or 0; *until: where
 * the gap ends.
 */
uint64_t sheet_gap(const struct sheet *sheet, uint64_t first, uint64_t last,
    uint64_t *until);

#endif
