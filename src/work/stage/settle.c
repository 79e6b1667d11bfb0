#include <errno.h>

#include "work/exec/exec.h"
#include "work/stage/aside.h"
#include "work/stage/claim.h"
#include "work/stage/generation.h"
#include "work/stage/plan.h"

void
plan_release(struct stage_plan *plan)
{
	claim_release(plan);
	plan_unlock(plan);
}

/* ---- a hit ---- */

/* Is it a hit for which nothing but notes has to be written? */
static bool
is_quiet_hit(const struct stage_plan *plan)
{
	return plan->verdict.decision == DECISION_REUSE && plan->ndues == 0 &&
	       plan->verdict.tier != TIER_RUN_CACHE;
}

/* Leave a note, so that the next run need not read the same files again. */
static void
note_hit(struct stage_plan *plan)
{
	struct generation_note note;

	if (plan->verdict.tier == TIER_GENERATION)
		return;
	if (generation_now(plan->work, plan->stage, &plan->in, &plan->wanted,
		plan->life, &note))
		generation_leave(plan->work, plan->stage, &note);
}

/* Move what is in the way, and not ours, to a name where it is kept. */
static bool
save_others(struct stage_plan *plan, struct span *which)
{
	for (size_t i = 0; i < plan->ndues; i++) {
		*which = plan->dues[i].path;
		if (!aside_save(plan, *which))
			return false;
	}
	return true;
}

/* Bring the outputs back.  False if one cannot be: the command must be run. */
static bool
bring_back(struct stage_plan *plan)
{
	struct work *work = plan->work;
	struct span which = SPAN("");

	if (plan->ndues == 0)
		return true;
	outputs_bump(work, plan->stage);
	if (save_others(plan, &which) &&
	    outputs_restore(work, plan->dues, plan->ndues, &which))
		return true;
	if (errno != ENOENT) /* no remark if it is gone */
		plan_remark(plan, "the output ", which,
		    " cannot be brought back, so the command is run.");
	plan->verdict = (struct verdict){.decision = DECISION_WORK};
	verdict_add(work->arena, &plan->verdict, REASON_BLOB, which,
	    VERDICT_UNKNOWN, VERDICT_UNKNOWN);
	return false;
}

static enum settle
settle_hit(struct stage_plan *plan)
{
	/* A kept failure is not a success, so it is not noted. */
	if (plan->result.exit == 0)
		plan_note_success(plan, &plan->wanted);
	plan_release(plan);
	return SETTLE_HIT;
}

/* ---- a run ---- */

/*
 * The last look at the inputs before the command starts.  It comes after the
 * old outputs were moved: moving a file changes the times of all links to it.
 */
static void
look_before(struct stage_plan *plan)
{
	struct work *work = plan->work;
	struct stage_inputs now;

	plan->unsteady = SPAN("");
	if (!plan->in.resolved || (plan->policy.flags & STAGE_NO_COMMIT) != 0)
		return; /* nothing will be kept */
	plan->still = still_new(work->arena);
	now = inputs_look_still(work, plan->stage, plan->still, STILL_BEFORE);
	if (!now.resolved)
		plan->unsteady = now.unresolved;
	else
		(void)facts_differ(
		    &plan->in.facts, &now.facts, &plan->unsteady);
}

static enum settle
settle_run(struct stage_plan *plan)
{
	struct span which = SPAN("");

	/*
	 * Noted first: if we are stopped in the middle, the outputs have
	 * changed.
	 */
	outputs_bump(plan->work, plan->stage);
	if (aside_move(plan, &which)) {
		look_before(plan);
		state_rest(plan->work->state);
		return SETTLE_RUN;
	}
	plan_remark(plan, "the old output ", which,
	    " cannot be moved aside; the command was not run.");
	plan_release(plan);
	return SETTLE_FAILED;
}

/* Did another process hold the locks? */
struct wait_note {
	lock_waiting *waiting; /* the caller's */
	void *context;
	bool waited;
};

static void
note_waiting(void *context, long holder)
{
	struct wait_note *note = context;

	note->waited = true;
	if (note->waiting != NULL)
		note->waiting(note->context, holder);
	note->waiting = NULL; /* once is enough */
}

/*
 * Take the locks and decide again, as another process may have done the work
 * meanwhile.  The locks are for the inputs as they were.  If these changed,
 * start again.
 */
static enum lock_result
lock_and_decide(struct stage_plan *plan, enum claim_want want,
    enum lock_wait wait, struct wait_note *note)
{
	enum lock_result result;
	struct digest key;

	do {
		plan_release(plan);
		key = plan->in.key;
		state_rest(plan->work->state);
		result = plan_lock(plan, wait, note_waiting, note);
		if (result != LOCK_BUSY && result != LOCK_OURS)
			result =
			    claim_take(plan, want, wait, note_waiting, note);
		if (result == LOCK_BUSY || result == LOCK_OURS)
			break;
		/* A planned reuse stays right if nobody was in the way. */
		if (!aside_recover(plan) && !note->waited &&
		    plan->verdict.decision == DECISION_REUSE)
			break;
		plan_decide(plan);
	} while (!digest_eq(&key, &plan->in.key));
	return result;
}

static enum settle
settle_ours(struct stage_plan *plan)
{
	plan_release(plan);
	plan_remark(plan, "", plan->stage->name,
	    " runs inside of a command of readcache that works on the same "
	    "files, so it would wait for itself; it was not run.");
	return SETTLE_FAILED;
}

enum settle
stage_settle(struct stage_plan *plan, enum lock_wait wait,
    lock_waiting *waiting, void *context)
{
	struct wait_note note = {waiting, context, false};
	enum claim_want want = CLAIM_LEFT;
	enum lock_result result;

	if (is_quiet_hit(plan) && !claim_is_left(plan)) {
		plan_tell_missing(plan);
		note_hit(plan);
		return SETTLE_HIT;
	}
	/*
	 * What will be moved is claimed after the decision, as a hit needs no
	 * claim.  If somebody came first, all is claimed and decided anew.
	 */
	do {
		result = lock_and_decide(plan, want, wait, &note);
		if (result != LOCK_BUSY && result != LOCK_OURS &&
		    (plan->verdict.decision == DECISION_WORK ||
			plan->ndues > 0))
			result =
			    claim_take(plan, CLAIM_THERE, LOCK_TRY, NULL, NULL);
		if (result == LOCK_OURS)
			return settle_ours(plan);
		if (result == LOCK_BUSY && wait == LOCK_TRY) {
			plan_release(plan);
			return SETTLE_BUSY;
		}
		want = CLAIM_THERE;
	} while (result == LOCK_BUSY);
	plan_tell_missing(plan);
	if (plan->verdict.decision == DECISION_REUSE && bring_back(plan))
		return settle_hit(plan);
	return settle_run(plan);
}

struct exec_command
stage_command(const struct stage_plan *plan)
{
	struct exec_command command = {
	    .argv = plan->stage->argv,
	    .argc = plan->stage->argc,
	    .cwd = plan->stage->cwd,
	    .input = plan->stage->input,
	};

	/*
	 * Held until the command ends, even if we are killed: whoever takes
	 * the locks next must not meet a command that still writes.
	 */
	command.held = plan_descriptors(plan, &command.nheld);
	return command;
}

void
stage_abandon(struct stage_plan *plan)
{
	aside_come_back(plan);
	still_end(plan->still);
	plan->still = NULL;
	plan_release(plan);
}
