/*
 * apply.h -- a diff is believed only when it works (T10).
 */
#ifndef READCACHE_DIFF_APPLY_H
#define READCACHE_DIFF_APPLY_H

#include <stdint.h>

#include "base/arena.h"

/*
 * Does HUNKS, a unified diff without its file names, turn OLD_TEXT into
 * exactly NEW_TEXT?  Strict: positions, counts and every context line must
 * agree.
 */
bool diff_applies(struct span hunks, struct span old_text,
    struct span new_text);

/*
 * What HUNKS make of OLD_TEXT, in ARENA.  False, under the same strictness,
 * if they were not made for it.
 */
bool diff_apply(struct arena *arena, struct span hunks, struct span old_text,
    struct span *new_text);

/* One line of a hunk, without sign and line end. */
struct diff_row {
	char sign;         /* ' ', '-' or '+' */
	uint64_t old_line; /* its number there; of '+': of the next one */
	uint64_t new_line; /* the same on the other side, of '-' */
	struct span text;
};

/* Go through the lines of HUNKS: begin with diff_rows, until false. */
struct diff_rows {
	struct span rest;
	uint64_t old_line, new_line;
	uint64_t old_left, new_left; /* of the hunk */
	bool broken; /* at the end: HUNKS is no diff */
};
struct diff_rows diff_rows(struct span hunks);
bool diff_next_row(struct diff_rows *rows, struct diff_row *row);

/* Is HUNKS, taken for itself, a diff? */
bool diff_sound(struct span hunks);

#endif
