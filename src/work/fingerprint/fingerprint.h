/*
 * fingerprint.h -- things outside of a command that its result depends on.
 *
 *	git:REF     the commit that REF is (nothing about changed files)
 *	glob:PAT    the files that match, with their sizes and times
 *	glob!:PAT   the files that match, with their content
 *	file:PATH   the content of a file, or that there is none
 *	env:NAME    the value of a variable, or that it is not set
 *
 * Paths and patterns are relative to the directory of the work.
 *
 * Resolving a fingerprint gives a hash, or "cannot be resolved": a file cannot
 * be read, or git fails.  That is never a value: the work that depends on it is
 * done, and its result is not kept.  "No such file" and "not in a repository"
 * are values like others.
 */
#ifndef READCACHE_WORK_FINGERPRINT_FINGERPRINT_H
#define READCACHE_WORK_FINGERPRINT_FINGERPRINT_H

#include "work/fingerprint/hash.h"
#include "work/key/key.h"

struct fingerprint {
	struct span spec; /* as it was written */
	bool resolved;
	struct digest digest; /* if resolved */
	struct span why;      /* if not resolved */
};

/* What is wrong with SPEC, as a sentence; NULL if it is valid. */
const char *fingerprint_fault(struct span spec);

/* Resolve SPEC, which must be valid, in the directory CWD (absolute). */
struct fingerprint fingerprint_resolve(
    struct hasher *hasher, struct span cwd, struct span spec);

/*
 * Call this before work that depends on FINGERPRINTS, as they are in its key.
 * It resolves them once more and notes what they meet (still.h): time may have
 * passed since they were resolved for the key.  NULL if N is 0.
 */
struct still *fingerprint_watch(struct hasher *hasher, struct span cwd,
    const struct fingerprint *fingerprints, size_t n);

/*
 * Call this after the work.  STILL_SAME if FINGERPRINTS had the same values
 * all the time.  Else *WHICH did not, and the result of the work must not be
 * kept.  Ends STILL, which fingerprint_watch gave.
 */
enum still_verdict fingerprint_kept_still(struct hasher *hasher,
    struct span cwd, const struct fingerprint *fingerprints, size_t n,
    struct still *still, struct span *which);

/* Does resolving SPEC hash files, so that the state is of use? */
bool fingerprint_reads_files(struct span spec);

/* Does SPEC depend on files?  *PATH is then the path or pattern of them. */
bool fingerprint_finds_files(struct span spec, struct span *path);

/* Add FINGERPRINT to KEY.  The order of fingerprints counts. */
void fingerprint_add(struct key *key, const struct fingerprint *fingerprint);

#endif
