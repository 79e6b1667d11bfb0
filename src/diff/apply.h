/*
 * apply.h -- a diff is trusted only after it was applied (T10).
 */
#ifndef READCACHE_DIFF_APPLY_H
#define READCACHE_DIFF_APPLY_H

#include <stdint.h>

#include "base/arena.h"

/*
 * Does HUNKS turn OLD_TEXT into exactly NEW_TEXT?  HUNKS is a unified diff
 * without the lines for file names.  Positions, counts and every context line
 * must agree.
 */
bool diff_applies(struct span hunks, struct span old_text,
    struct span new_text);

/*
 * Apply HUNKS to OLD_TEXT.  *NEW_TEXT lives in ARENA.  False if HUNKS do not
 * fit OLD_TEXT: positions, counts and every context line must agree.
 */
bool diff_apply(struct arena *arena, struct span hunks, struct span old_text,
    struct span *new_text);

/* One line of a hunk, without sign and LF. */
struct diff_row {
	char sign;         /* ' ', '-' or '+' */
	uint64_t old_line; /* its number; for '+' the number of the next one */
	uint64_t new_line; /* its number; for '-' the number of the next one */
	struct span text;
};

/*
 * Walk the lines of HUNKS: start with diff_rows, call diff_next_row until it is
 * false.
 */
struct diff_rows {
	struct span rest;
	uint64_t old_line, new_line;
	uint64_t old_left, new_left; /* in this hunk */
	bool broken; /* after the end: HUNKS is not a diff */
};
struct diff_rows diff_rows(struct span hunks);
bool diff_next_row(struct diff_rows *rows, struct diff_row *row);

/* Is HUNKS by itself a well-formed diff with at least one line? */
bool diff_sound(struct span hunks);

#endif
