/*
 * sheet.h -- lines of a file by their numbers, which may be far apart.
 */
#ifndef READCACHE_INSPECT_SHEET_H
#define READCACHE_INSPECT_SHEET_H

#include "inspect/texts.h"

struct sheet_line {
	uint32_t text; /* its number (texts.h); 0: not known */
	bool since;    /* shown after the whole file */
};

enum { SHEET_PAGE = 64 };

struct sheet_page {
	struct sheet_page *next;
	uint64_t number; /* its first line is number * SHEET_PAGE */
	uint64_t epoch;  /* if not the sheet's, the page is empty */
	struct sheet_line lines[SHEET_PAGE];
};

struct sheet {
	struct arena *arena;
	struct map *by_number;
	struct sheet_page *pages; /* in no particular order */
	size_t npages;
	uint64_t epoch;           /* how often everything was forgotten */
	uint64_t top;             /* no line after it is known */
};

/* How many lines SHEET has room for: what it costs to go through it. */
uint64_t sheet_room(const struct sheet *sheet);

struct sheet sheet_new(struct arena *arena);

/* What is known about LINE; NULL if nothing is. */
struct sheet_line *sheet_find(const struct sheet *sheet, uint64_t line);

/* Set what is known about LINE. */
void sheet_set(struct sheet *sheet, uint64_t line, struct sheet_line value);

/* How many lines from FIRST to LAST are known. */
uint64_t sheet_count(
    const struct sheet *sheet, uint64_t first, uint64_t last);

/* Forget what is after LAST; everything if there are very many pages. */
void sheet_cut(struct sheet *sheet, uint64_t last);

/* Fill COLUMN with the texts from line FIRST on; 0 where it is not known. */
void sheet_texts(const struct sheet *sheet, uint64_t first,
    struct column column);

/*
 * The first line from FIRST to LAST that is not known, or 0.  *UNTIL is the
 * last line of the gap.
 */
uint64_t sheet_gap(const struct sheet *sheet, uint64_t first, uint64_t last,
    uint64_t *until);

#endif
