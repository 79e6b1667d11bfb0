/*
 * pieces.h -- a pieced answer: which form it has, and its words (SPEC 9).
 */
#ifndef READCACHE_ANSWER_PIECES_H
#define READCACHE_ANSWER_PIECES_H

#include "answer/trace.h"
#include "base/buf.h"

/* Lines in a row of one kind; SHOWN ones had numbers in a row, too. */
struct run {
	enum trace_kind kind;
	uint64_t first, last; /* as they are numbered now */
	uint64_t former;      /* of the first one: trace.h */
};

/* Where the reader has changed something itself. */
struct change_place {
	uint64_t first, last; /* lines; LAST 0: lines were removed before FIRST;
			       * both 0: at the end */
};

enum { PLACES_MAX = 8, PARTS_MAX = 4 };

enum pieces_form {
	PIECES_NONE,	  /* the text is better */
	PIECES_WRITTEN,	  /* all of it is as the reader wrote it */
	PIECES_EDITED,	  /* the reader's changes are in place, and no others */
	PIECES_UNCHANGED, /* the lines have the numbers that they had */
	PIECES_MOVED,	  /* one block, which had other numbers */
	PIECES_PARTS
};

struct pieces {
	enum pieces_form form;
	struct run *runs;
	size_t n;
	struct change_place places[PLACES_MAX]; /* EDITED */
	size_t nplaces;
	bool elsewhere; /* UNCHANGED: the file has changed outside */
};

/*
 * Choose the form for TRACE.  It has been checked: put together, its parts give
 * the requested lines.  Lines that this form cannot speak of become text there.
 */
struct pieces pieces_plan(struct scale *s, struct trace *trace);

/*
 * Write the answer about SHOWN.  AGAIN: the same was answered before, so this
 * answer says how to get the text.
 */
void pieces_render(struct buf *buf, const struct excerpt *shown,
    const struct pieces *pieces, bool again);

/* Does every requested line come from the reader's own changes or their base?
 */
bool pieces_are_own(const struct pieces *pieces, const struct trace *trace);

#endif
