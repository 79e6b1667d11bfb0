/*
 * report_reason.h -- why a read delivered the text itself.
 *
 * Metadata does not say why.  So the reason is found again from what was
 * trusted before the read.  What that does not explain is reported as unknown.
 */
#ifndef READCACHE_INSPECT_REPORT_REASON_H
#define READCACHE_INSPECT_REPORT_REASON_H

#include <stdbool.h>

#include "replay/trust.h"

enum report_reason {
	REASON_NONE, /* it did not: the answer was compact */
	REASON_FIRST_READ,
	REASON_OTHER_LINES,
	REASON_AFTER_COMPACTION,
	REASON_REFRESHED,
	REASON_CHANGED,
	REASON_LINES_CHANGED,
	REASON_NEWER_VIEW,
	REASON_REPEAT,
	REASON_FAILED_EDIT,
	REASON_OWN_EDIT,
	REASON_OTHER_NAME,
	REASON_MOVED,
	REASON_EVIDENCE_LOST,
	REASON_SAME_BATCH,
	REASON_SIBLING,
	REASON_MARKER_NOT_SMALLER,
	REASON_EXCLUDED,
	REASON_NO_TEXT,
	REASON_NOT_BY_READCACHE,
	REASON_UNKNOWN,
	REASON_COUNT
};

/* The name in JSON. */
const char *report_reason_name(enum report_reason reason);

/* For people: a few words, and a sentence that explains them. */
const char *report_reason_title(enum report_reason reason);
const char *report_reason_text(enum report_reason reason);

/* Whether the branch had shown the file of a read before it. */
enum report_seen {
	SEEN_NEVER,
	SEEN_BEFORE_BOUNDARY,
	SEEN_SINCE,
	SEEN_REFRESHED, /* since, and then refreshed */
	SEEN_UNTOLD     /* what is before cannot be read */
};

struct report_facts {
	enum mode mode;
	struct scope scope;
	enum trust_find found;
	bool same_hash;   /* found: the version that was served */
	bool same_batch;  /* found: asked for in the same message */
	bool voided;      /* some of the lines were refreshed (SPEC 16) */
	bool repeated;    /* the same marker was given repeatedly */
	bool edit_failed; /* the latest edit of the file was refused */
	bool edited;      /* the model edited it, and has not seen it since */
	bool beside;      /* a shell or an unknown tool was called with it */
	bool short_text;  /* not longer than the marker would have been */
	bool known_so;    /* other lines are trusted under this name */
	bool known_other; /* something is trusted under another name */
	enum report_seen seen;
};

/* The reason for a read with metadata. */
enum report_reason report_reason(const struct report_facts *facts);

#endif
