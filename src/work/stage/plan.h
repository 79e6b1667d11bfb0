/*
 * plan.h -- a stage's plan; only for the files of this folder.
 */
#ifndef READCACHE_WORK_STAGE_PLAN_H
#define READCACHE_WORK_STAGE_PLAN_H

#include <sys/stat.h>

#include "store/lock/places.h"
#include "work/stage/outputs.h"

struct plan_remark {
	struct plan_remark *next;
	const char *sentence;
};

/* What was at the place of an output (aside.h). */
struct aside {
	struct span path;
	struct span text; /* its content */
	struct stat st;	  /* after it was moved */
	const char *name; /* its name now, if moved */
	bool moved, ours, came_back;
};

/*
 * Invariants:
 *  1. For a REUSE, WANTED has a content for every declared output.  Outputs
 *     that have another content now are DUES: kept, with good blobs.
 *  2. HELD is NULL, and no place and no claim is held, except between
 *     stage_settle and the end of the work.
 */
struct stage_plan {
	struct work *work;
	const struct stage *stage;
	struct stage_policy policy;
	struct verdict verdict;
	struct stage_inputs in;
	struct facts outputs; /* as they are: FACT_OUTPUT, sorted */
	struct facts wanted;  /* as they should be, for a REUSE */
	struct due *dues;     /* outputs to be brought back */
	size_t ndues;
	struct lifetime life; /* of the record, if known */
	bool asked;	      /* the record was asked for: GOT */
	enum record_got got;
	struct record record;
	struct aside *asides; /* from aside_move to the end of the run */
	size_t nasides;
	struct still *still;  /* notes about the inputs during the run */
	struct span unsteady; /* input that changed before the run, or "" */
	struct places_held places;
	struct lock_set *held;
	int unlocked; /* if there are neither: an errno that says why */
	struct lock_set **claims; /* NULL, or one or NULL per output: claim.h */
	struct stage_result result;
	struct plan_remark *remarks, *last_remark; /* NULL if there is none */
};

/*
 * Take the locks of the stage.  While they are held nobody else does the same
 * work, makes what it reads, or reads what it makes, and gc waits.  First the
 * places, which are the same for all stores (store/lock/places.h), then the
 * locks of the store.  LOCK_NONE if there are neither.
 */
enum lock_result plan_lock(struct stage_plan *plan, enum lock_wait wait,
    lock_waiting *waiting, void *context);

/*
 * Does PLAN hold locks?  Without any, somebody else may make its outputs at the
 * same time, so nothing may be kept.
 */
bool plan_is_locked(const struct stage_plan *plan);

/* Release the locks, but not the claims. */
void plan_unlock(struct stage_plan *plan);

/* The descriptors of all locks and claims of PLAN, *N of them. */
int *plan_descriptors(const struct stage_plan *plan, size_t *n);

/* Release the locks and the claims (claim.h), if there are any. */
void plan_release(struct stage_plan *plan);

/* Make the decision, as things are now. */
void plan_decide(struct stage_plan *plan);

/* Add the remark "BEFORE NAME AFTER" for stage_remark. */
void plan_remark(struct stage_plan *plan, const char *before, struct span name,
    const char *after);

/* Add a remark that lists the declared files that do not exist, if any. */
void plan_tell_missing(struct stage_plan *plan);

/* The key of the record as text, in the work's arena. */
struct span plan_key(const struct stage_plan *plan);

/*
 * Keep the result and OUTPUTS: blobs, record, lock, state, in this order.
 * False if that was not possible; a remark then says why.
 */
bool plan_keep(struct stage_plan *plan, const struct facts *outputs);

/*
 * Write the lock and leave the note of a success, with the inputs of PLAN and
 * OUTPUTS.  A failure is a remark.
 */
void plan_note_success(struct stage_plan *plan, const struct facts *outputs);

#endif
