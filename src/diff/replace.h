/*
 * replace.h -- what pi's edit makes of a text, and where each line comes from.
 */
#ifndef READCACHE_DIFF_REPLACE_H
#define READCACHE_DIFF_REPLACE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/replacement.h"

/*
 * Where a line of the new text comes from.
 *
 * Without `own` no replacement has touched it: it is line LINE of the old text.
 * Still compare the two, because the bytes may differ: if the first line is
 * removed, its byte order mark goes to the next one.
 *
 * With `own` a replacement has made or touched it.  Whoever knows the
 * replacement and the old line LINE knows the new line:
 *
 * 1. If something of an old line is left in it, LINE is that one.
 * 2. If nothing is left, LINE is the old line in which the old text begins or
 *    ends, unless it does so at a line end of its own.  (An old text "b" that is
 *    all of a line does not say that the line begins and ends there.)  If it
 *    begins in one such line and ends in another, ALSO is the other one, and
 *    both must be known.
 * 3. If it stands between two line ends of a new text, both are 0.
 *
 * In a text with mixed line ends pi changes all of them to the first kind.  What
 * is made of a line that gets another end is `lost`.
 */
struct line_origin {
	uint32_t line; /* of the old text, from 1 on; 0: none */
	uint32_t also; /* own: a second one, of which nothing is left; 0: none */
	bool own;      /* a replacement made or touched it */
	bool lost;     /* more old lines are in it than can be said here, or one
			* with another line end */
	bool cut;      /* whole lines were removed just before it */
};

/* The old lines of which an old text has bytes. */
struct replaced_place {
	uint32_t first, last;
};

struct replaced {
	struct span text;	     /* the new text */
	struct line_origin *origins; /* one for each line; [0] is line 1 */
	uint64_t lines;
	struct replaced_place *places; /* of the old texts, N */
	bool cut_end; /* whole lines were removed after the last line */
	bool ends; /* new texts got the line ends of line 1, which are others */
};

/* Larger texts, and more replacements, are not tried. */
#define REPLACE_MAX_BYTES ((size_t)2 * 1024 * 1024)
enum { REPLACE_MAX = 1000 };

/*
 * Replace the N texts of LIST in TEXT as pi's edit does: all at once, each old
 * text being there exactly once.  The byte order mark and the kind of line ends
 * stay.  What it returns and needs lives in ARENA: a few times the text.
 *
 * If it is true, pi writes the very bytes of out->text.  False if pi refuses, or
 * does what is not followed here:
 *
 * 1. An old text is there only nearly (fuzzy.h), or twice; two places that
 *    overlap count as twice.
 * 2. There is a CR without LF, a byte that is not UTF-8, or a character that is
 *    newer than our library.
 * 3. It is too much work.
 */
bool replace_apply(struct arena *arena, struct span text,
    const struct replacement *list, size_t n, struct replaced *out);

/*
 * About how many microseconds replace_apply may take.  To ask takes far fewer.
 */
uint64_t replace_cost(
    struct span text, const struct replacement *list, size_t n);

#endif
