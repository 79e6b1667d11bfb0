#include <errno.h>

#include "work/stage/outputs.h"
#include "work/stage/plan.h"

static const char *
sentence(
    struct work *work, const char *before, struct span name, const char *after)
{
	struct buf out = buf_new(work->arena, 128 + name.n);

	buf_str(&out, before);
	buf_add(&out, name);
	buf_str(&out, after);
	return arena_cstr(work->arena, buf_span(&out));
}

/* Keep the output that an earlier run with the same inputs had, if known. */
static void
take_said(struct stage_plan *plan)
{
	struct record record;
	bool known = record_load(&plan->work->records, plan_key(plan), 0,
			 plan->work->use, &record) == RECORD_HIT &&
		     (!record.exited || record.exit == 0);

	plan->result = (struct stage_result){
	    .out = known ? record.value : SPAN(""),
	    .err = known && record.errors.p != NULL ? record.errors : SPAN(""),
	    .order = known && record.order.p != NULL ? record.order : SPAN(""),
	    .created_ms = clock_now(),
	    .key = plan->in.key,
	};
}

static const char *
commit_locked(struct stage_plan *plan)
{
	struct work *work = plan->work;
	struct facts outputs = outputs_look(work, plan->stage);
	struct span which;

	if (outputs_missing(work, plan->stage, &outputs, &which))
		return sentence(work, "the output ", which,
		    " is not there; run the stage first.");
	take_said(plan);
	outputs_bump(work, plan->stage);
	return plan_keep(plan, &outputs) ? NULL : stage_remark(plan);
}

const char *
stage_commit(struct work *work, const struct stage *stage,
    lock_waiting *waiting, void *context)
{
	struct stage_plan *plan = arena_array(work->arena, 1, sizeof(*plan));
	const char *wrong;

	plan->work = work;
	plan->stage = stage;
	plan->in = inputs_look(work, stage);
	if (!plan->in.resolved)
		return sentence(work, "the input ", plan->in.unresolved,
		    " cannot be read, so nothing can be recorded.");
	(void)plan_lock(plan, LOCK_WAIT, waiting, context);
	plan->in = inputs_look(work, stage);
	wrong = commit_locked(plan);
	stage_abandon(plan);
	return wrong;
}
