/*
 * fingerprint.h -- fingerprints: pieces of the world that a result depends on.
 *
 *	git:REF     the commit that REF is (nothing about changed files)
 *	glob:PAT    the files that match, with their sizes and times
 *	glob!:PAT   the files that match, with their content
 *	file:PATH   the content of a file, or that there is none
 *	env:NAME    the value of a variable, or that it is not set
 *
 * Paths and patterns are relative to the directory of the work.
 *
 * Resolving one gives a hash, or "cannot be resolved": a file that cannot be
 * read, a git that fails.  That is never a value: work that depends on it is
 * done, and its result is not kept.  Only "no such file" and "not in a
 * repository" are values of their own.
 */
#ifndef READCACHE_WORK_FINGERPRINT_FINGERPRINT_H
#define READCACHE_WORK_FINGERPRINT_FINGERPRINT_H

#include "work/fingerprint/hash.h"
#include "work/key/key.h"

struct fingerprint {
	struct span spec; /* as it was written */
	bool resolved;
	struct digest digest; /* if resolved */
	struct span why;      /* if not */
};

/* What is wrong with SPEC, as a sentence; NULL if nothing is. */
const char *fingerprint_fault(struct span spec);

/* Resolve SPEC, which has no fault, in the directory CWD (absolute). */
struct fingerprint fingerprint_resolve(
    struct hasher *hasher, struct span cwd, struct span spec);

/*
 * Work that depends on FINGERPRINTS, as they are in its key, is about to be
 * done: note what they meet now (still.h).  Resolved again, not taken from
 * FINGERPRINTS: time may have passed.
 */
struct still *fingerprint_watch(struct hasher *hasher, struct span cwd,
    const struct fingerprint *fingerprints, size_t n);

/*
 * The work is done.  STILL_SAME if FINGERPRINTS were what they say all the
 * time; else *WHICH was not, and the result must not be kept.  Ends STILL,
 * which fingerprint_watch gave.
 */
enum still_verdict fingerprint_kept_still(struct hasher *hasher,
    struct span cwd, const struct fingerprint *fingerprints, size_t n,
    struct still *still, struct span *which);

/* Does resolving SPEC hash files, so that the state is of use? */
bool fingerprint_reads_files(struct span spec);

/* FINGERPRINT as a part of a key; their order counts. */
void fingerprint_add(struct key *key, const struct fingerprint *fingerprint);

#endif
