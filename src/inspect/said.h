/*
 * said.h -- what the visible text of a read's answer says (SPEC 3, 9, 10).
 *
 * The text is the truth.  Metadata only helps where a text can be read in two
 * ways: a file may end in words that look like a notice, or be a marker.
 */
#ifndef READCACHE_INSPECT_SAID_H
#define READCACHE_INSPECT_SAID_H

#include "meta/meta.h"

enum said_kind {
	SAID_UNKNOWN,    /* something, but nobody can tell of which lines */
	SAID_TEXT,       /* text: lines first to last, of total */
	SAID_TOO_LONG,   /* that line first is too long to be shown */
	SAID_SAME,       /* that the file, of total lines, is unchanged */
	SAID_SAME_LINES, /* that lines first to last are; total may be 0 */
	SAID_DIFF        /* text: hunks; the file now has total lines */
};

struct answer_said {
	enum said_kind kind;
	uint64_t first, last, total;
	struct span text;
};

/* What is known of an answer beside its text. */
struct said_about {
	bool placed;           /* these are known: */
	uint64_t first, limit; /* as they were asked for; 0: no limit */
	const struct meta *meta; /* valid metadata, or NULL */
	bool sealed;             /* its textHash is that of the text */
	struct digest hash;      /* of the text */
};

/* Is TEXT a marker or a diff? */
bool said_compact(
    struct arena *scratch, struct span text, struct answer_said *said);

/* What TEXT says; it is looked at where it lies. */
struct answer_said said_read(struct arena *scratch, struct span text,
    const struct said_about *about);

/* Does metadata say that the answer carries the file's text? */
bool said_is_anchor(const struct meta *meta);

#endif
