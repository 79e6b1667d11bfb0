/*
 * plan.h -- a stage's plan, for the files of this folder only.
 */
#ifndef READCACHE_WORK_STAGE_PLAN_H
#define READCACHE_WORK_STAGE_PLAN_H

#include <sys/stat.h>

#include "work/stage/outputs.h"

struct plan_remark {
	struct plan_remark *next;
	const char *sentence;
};

/* What was where an output is to be made; see aside.h. */
struct aside {
	struct span path;
	struct span text; /* the content it had */
	struct stat st;	  /* of its file, once it was moved */
	bool moved, ours, came_back;
};

/*
 * Invariants:
 *  1. REUSE: WANTED has a content for every declared output; those that have
 *     another one are DUES: kept outputs whose blobs were good.
 *  2. HELD is not NULL only between stage_settle and the end of the work.
 */
struct stage_plan {
	struct work *work;
	const struct stage *stage;
	struct stage_policy policy;
	struct verdict verdict;
	struct stage_inputs in;
	struct facts outputs; /* as they are: FACT_OUTPUT, sorted */
	struct facts wanted;  /* as they are to be, of a REUSE */
	struct due *dues;     /* those that are not as they are to be */
	size_t ndues;
	struct lifetime life; /* of the record, if it is known */
	bool asked;	      /* for the record, which has GOT */
	enum record_got got;
	struct record record;
	struct aside *asides; /* between aside_move and the end of the run */
	size_t nasides;
	struct still *still; /* the same: what the inputs have met */
	struct span unsteady; /* an input that changed just before it; or "" */
	struct lock_set *held;
	struct stage_result result;
	struct plan_remark *remarks;
};

/*
 * Take the locks of the stage: nobody else does the same work, makes what is
 * read here, or reads what is made here, meanwhile; and gc waits.
 */
enum lock_result plan_lock(struct stage_plan *plan, enum lock_wait wait,
    lock_waiting *waiting, void *context);

/* Decide, from how things are now. */
void plan_decide(struct stage_plan *plan);

/* "BEFORE NAME BEHIND" for stage_remark. */
void plan_remark(struct stage_plan *plan, const char *before, struct span name,
    const char *behind);

/* A remark with the declared files that are not there, if there are any. */
void plan_tell_missing(struct stage_plan *plan);

/* The record's key as text, in the work's arena. */
struct span plan_key(const struct stage_plan *plan);

/*
 * Keep the result and OUTPUTS: blobs, record, lock, state, in this order.
 * False if the store could not; a remark says so.
 */
bool plan_keep(struct stage_plan *plan, const struct facts *outputs);

/*
 * Write the lock and leave the note of a success: inputs as planned, outputs
 * OUTPUTS.  A failure is a remark.
 */
void plan_note_success(struct stage_plan *plan, const struct facts *outputs);

#endif
