/*
 * audit.h -- could the reader know what the compact answers of a recorded
 * session claimed?
 *
 * Every marker and every diff, on every branch, is checked against the texts
 * of read results that the model could see when the answer was given: those
 * on the way from the root, as they are stored, without
 *  - what is before the latest compaction and not kept by it (what it keeps
 *    begins with its firstKeptEntryId),
 *  - what a context edit took away; what it put in the place of a result is
 *    a text of which nothing is known,
 *  - results of calls in messages that failed, were aborted or edited,
 *  - what is before a message whose bill fell with no record of why (T15).
 * Results of the same batch may be counted or not: the model sees them
 * together, but reads that run beside each other do not wait for each other.
 *
 * Metadata is a claim like any other.  It tells which version an answer
 * speaks of, and by which of several readings a text is understood.
 *
 * Reasons, where they are not those of knowledge.h:
 *	the text was taken out of the context by an edit
 *	the text was replaced by another one
 *	the text is before a compaction that did not keep it
 *	the text's call failed, was aborted or was edited
 *	the text is before a silent loss of context (T15)
 *	the text is before an entry that cannot be understood
 *	its metadata says something else than its text
 *	its metadata speaks of another file than its call
 *	nobody can tell which file it speaks of
 */
#ifndef READCACHE_INSPECT_AUDIT_H
#define READCACHE_INSPECT_AUDIT_H

#include "host/pi/records.h"

struct audit_violation {
	uint32_t node;
	struct span path; /* as the reader knows it; empty if nobody does */
	struct scope scope;
	struct span why; /* a sentence without its full stop */
};

struct audit {
	uint64_t answers; /* results of reads */
	uint64_t compact;
	struct audit_violation *violations; /* as they stand in the file */
	size_t n;
};

/*
 * HOME: for paths that begin with a tilde.  The violations live in ARENA, all
 * else is dropped.
 */
struct audit audit_session(const struct session_records *records,
    struct span home, struct arena *arena, index_progress *progress,
    void *context);

#endif
