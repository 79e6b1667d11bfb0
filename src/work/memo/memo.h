/*
 * memo.h -- look up and keep the results of a host's phases.
 *
 * A result is reused only if the phase would provably give it again: the key,
 * made of everything the phase depends on, is the same, every fingerprint can
 * be resolved, and the result is not too old.  In doubt the work is done.
 */
#ifndef READCACHE_WORK_MEMO_MEMO_H
#define READCACHE_WORK_MEMO_MEMO_H

#include "work/fingerprint/fingerprint.h"
#include "work/memo/phase.h"
#include "work/memo/place.h"
#include "work/record/file.h"
#include "work/record/verdict.h"

/* What memo_look and memo_keep need besides the request. */
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
	struct called place;   /* the directory, as in the key */
	struct record record; /* if it is reused */
	bool stored;	      /* by memo_keep */
	const char *failure;  /* the store's error, or NULL */
};

/*
 * Look for a result of PHASE.  answer->verdict says whether there is one, and
 * if not, why.
 */
void memo_look(
    struct memo *memo, const struct phase *phase, struct memo_answer *answer);

/*
 * Keep the result that PHASE carries, if it may be kept.  answer->stored says
 * whether it was; if not, the verdict says why.  A failure of the store is
 * reported in answer->failure and fails nothing else.
 */
void memo_keep(
    struct memo *memo, const struct phase *phase, struct memo_answer *answer);

/*
 * Write the answer to a lookup, one JSON object and a line end:
 * {"hit","cacheHit","key","age_ms","output","json","model","usage",...}.
 */
void memo_write_look(struct buf *out, const struct phase *phase,
    const struct memo_answer *answer);

/*
 * Write the answer to a record, one JSON object and a line end:
 * {"stored","key","reason",...}.
 */
void memo_write_keep(struct buf *out, const struct phase *phase,
    const struct memo_answer *answer);

#endif
