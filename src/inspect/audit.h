/*
 * audit.h -- could the model know what the compact answers of a recorded
 * session claimed?
 *
 * Every marker and every diff, on every branch, is checked against the texts
 * of read results that the model could see when the answer was given.  These
 * are the results on the way from the root, as they are stored, except
 *  1. what is before the latest compaction and not kept by it (what it keeps
 *     begins with its firstKeptEntryId);
 *  2. what a context edit removed, or replaced by a text of which nothing is
 *     known;
 *  3. results of calls in messages that failed, were aborted or edited;
 *  4. what is before a message whose token count fell without a recorded
 *     reason (T15).
 * An answer is right if it is right with or without the other results of its
 * batch: the model sees them together, but parallel reads do not wait for each
 * other.
 *
 * Metadata is a claim like any other.  It says which version an answer is
 * about, and helps where a text can be read in several ways.
 *
 * Reasons, besides those of knowledge.h:
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

#include "session/records.h"

struct audit_violation {
	uint32_t node;
	struct span path; /* as the reader knows it; empty if unknown */
	struct scope scope;
	struct span why; /* a sentence without its full stop */
};

struct audit {
	uint64_t answers; /* results of reads */
	uint64_t compact;
	struct audit_violation *violations; /* in the order of the file */
	size_t n;
};

/*
 * Audit a session.  HOME replaces a tilde in recorded paths.  PROGRESS may be
 * NULL.  The violations live in ARENA; everything else is dropped.
 */
struct audit audit_session(const struct session_records *records,
    struct span home, struct arena *arena, index_progress *progress,
    void *context);

#endif
