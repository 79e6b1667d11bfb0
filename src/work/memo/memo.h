/*
 * memo.h -- look up and keep the results of a host's phases.
 *
 * Reused is only what is provably what would come out again: same key over
 * everything the phase depends on, every fingerprint resolved, not too old.
 * In doubt the work is done.
 */
#ifndef READCACHE_WORK_MEMO_MEMO_H
#define READCACHE_WORK_MEMO_MEMO_H

#include "work/fingerprint/fingerprint.h"
#include "work/memo/phase.h"
#include "work/memo/place.h"
#include "work/record/file.h"
#include "work/record/verdict.h"

/* What a lookup or a record needs besides the request. */
struct memo {
	struct arena *arena;
	struct records *records;
	struct hasher *hasher;
	struct called_known known;
};

struct memo_answer {
	struct verdict verdict;
	bool keyed; /* KEY is set: a result may be kept under it */
	char key[DIGEST_HEX + 1];
	struct called place;   /* in the key */
	struct record record; /* of a reuse */
	bool stored;	      /* of memo_keep */
	const char *failure;  /* the store's, as a sentence; NULL: none */
};

/* Is there a result for PHASE?  answer->verdict says so, and why not. */
void memo_look(
    struct memo *memo, const struct phase *phase, struct memo_answer *answer);

/*
 * Keep the result that PHASE carries, if it may be kept; answer->stored, and
 * the verdict says why not.  A store that fails fails nothing else.
 */
void memo_keep(
    struct memo *memo, const struct phase *phase, struct memo_answer *answer);

/*
 * The answer to a lookup, one JSON object and a line end:
 * {"hit","cacheHit","key","age_ms","output","json","model","usage",...}.
 */
void memo_write_look(struct buf *out, const struct phase *phase,
    const struct memo_answer *answer);

/* The answer to a record: {"stored","key","reason",...}. */
void memo_write_keep(struct buf *out, const struct phase *phase,
    const struct memo_answer *answer);

#endif
