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
	SAID_DIFF        /* TEXT: hunks; the file now has TOTAL lines */
};

struct answer_said {
	enum said_kind kind;
	uint64_t first, last, total;
	struct span text;
};

/* What is known about an answer besides its text. */
struct said_about {
	bool placed;           /* FIRST and LIMIT are known */
	uint64_t first, limit; /* as they were asked for; LIMIT 0: none */
	const struct meta *meta; /* valid metadata, or NULL */
	bool sealed;             /* its textHash is that of the text */
	struct digest hash;      /* of the text */
};

/* Is TEXT a marker or a diff?  Then *SAID is what it says. */
bool said_compact(
    struct arena *scratch, struct span text, struct answer_said *said);

/* What TEXT says.  The result points into TEXT. */
struct answer_said said_read(struct arena *scratch, struct span text,
    const struct said_about *about);

/* Does the metadata say that the answer has the file's text? */
bool said_is_anchor(const struct meta *meta);

#endif
