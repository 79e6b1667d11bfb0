/*
 * said.h -- what the visible text of an answer to a read says (SPEC 3, 9, 10).
 *
 * The text is the truth.  Metadata only helps where a text can be read in two
 * ways: a file may end with words that look like a notice, or look like a
 * marker.
 */
#ifndef READCACHE_INSPECT_SAID_H
#define READCACHE_INSPECT_SAID_H

#include "meta/meta.h"

enum said_kind {
	SAID_UNKNOWN,    /* something, but of unknown lines */
	SAID_TEXT,       /* TEXT: lines FIRST to LAST of TOTAL */
	SAID_TOO_LONG,   /* line FIRST is too long to be shown */
	SAID_SAME,       /* the file, of TOTAL lines, is unchanged */
	SAID_SAME_LINES, /* lines FIRST to LAST are; TOTAL may be 0 */
	SAID_DIFF,       /* TEXT: hunks; the file now has TOTAL lines */
	SAID_WRITTEN,    /* the file, of TOTAL lines, is as the reader wrote it */
	SAID_EDITS,      /* lines FIRST to LAST have the reader's own edits in
			  * PIECES, and are as shown before in all others */
	SAID_PIECES      /* lines FIRST to LAST are PIECES, without gaps */
};

enum said_piece_kind {
	LINES_SHOWN, /* shown before, from line FORMER on */
	LINES_OWN,   /* as the reader wrote it */
	LINES_TEXT,  /* TEXT */
	LINES_GONE   /* of SAID_EDITS: nothing; lines before FIRST are gone */
};

/* Lines in a row of what an answer speaks of. */
struct said_piece {
	enum said_piece_kind kind;
	uint64_t first, last; /* as they are numbered now */
	uint64_t former;
	struct span text;
};

enum { SAID_PIECES_MAX = 4, SAID_PLACES_MAX = 8 };

struct answer_said {
	enum said_kind kind;
	uint64_t first, last, total;
	struct span text;
	const struct said_piece *pieces; /* in the order of their lines */
	size_t npieces;
};

/* What is known about an answer besides its text. */
struct said_about {
	bool placed;           /* FIRST and LIMIT are known */
	uint64_t first, limit; /* as they were asked for; LIMIT 0: none */
	const struct meta *meta; /* valid metadata, or NULL */
	bool sealed;             /* its textHash is that of the text */
	struct digest hash;      /* of the text */
};

/*
 * Is TEXT a marker, a diff or in pieces?  Then *SAID is what it says.  The
 * pieces live in SCRATCH.
 */
bool said_compact(
    struct arena *scratch, struct span text, struct answer_said *said);

/* What TEXT says.  The result points into TEXT. */
struct answer_said said_read(struct arena *scratch, struct span text,
    const struct said_about *about);

/* Does the metadata say that the answer has the file's text? */
bool said_is_anchor(const struct meta *meta);

#endif
