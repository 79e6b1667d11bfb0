#include <errno.h>

#include "work/exec/exec.h"
#include "work/stage/aside.h"
#include "work/stage/facts_json.h"
#include "work/stage/outputs.h"
#include "work/stage/plan.h"
#include "work/stage/words.h"

/* ---- may it be kept? ---- */

/* WHICH as it is shown to people: relative to the root if it is below it. */
static struct span
shown(const struct stage_plan *plan, struct span which)
{
	return which.n > 0 && which.p[0] == '/' ? input_path(plan->work, which)
						: which;
}

/* Is WHICH an input only because a word of the command names it? */
static bool
is_word(const struct stage_plan *plan, struct span which)
{
	const struct stage *stage = plan->stage;

	for (size_t i = 1; i < stage->argc; i++)
		if (words_may_name(stage->argv[i]) &&
		    span_eq(input_path(plan->work, stage->argv[i]), which))
			return facts_find(&plan->in.facts, FACT_DEP, which) ==
				   NULL &&
			       facts_find(&plan->in.facts, FACT_CODE, which) ==
				   NULL;
	return false;
}

/* Look at the inputs again and compare.  *WHICH is the input that changed. */
static enum still_verdict
look_after(struct stage_plan *plan, struct span *which)
{
	struct stage_inputs now;

	*which = plan->unsteady;
	if (which->n > 0)
		return STILL_CHANGED;
	now = inputs_look_still(
	    plan->work, plan->stage, plan->still, STILL_AFTER);
	if (!now.resolved) {
		*which = now.unresolved;
		return STILL_CHANGED;
	}
	return facts_differ(&plan->in.facts, &now.facts, which)
		   ? STILL_CHANGED
		   : still_judge(plan->still, which);
}

/*
 * Did the inputs stay the same while the command ran?  They must not only be
 * the same now: as far as the system knows, they were never different
 * meanwhile.
 */
static bool
inputs_kept_still(struct stage_plan *plan)
{
	enum still_verdict verdict;
	struct span which;

	verdict = look_after(plan, &which);
	if (verdict == STILL_SAME)
		return true;
	/*
	 * It is not known which state of the input the command has seen.  The
	 * result may belong to neither.
	 */
	plan_remark(plan, "", shown(plan, which),
	    verdict == STILL_FRESH ? STILL_FRESH_SAID
		", so the result is not kept this time."
	    : is_word(plan, which)
		? " changed while the command ran, so its result is not kept; "
		  "if the command makes it, name it with --out."
		: " changed while the command ran, so its result is not "
		  "kept.");
	return false;
}

static bool
may_keep(struct stage_plan *plan, int exit, const struct said *said)
{
	if ((plan->policy.flags & STAGE_NO_COMMIT) != 0 ||
	    (exit != 0 && (plan->policy.flags & STAGE_KEEP_FAILURES) == 0) ||
	    !plan->in.resolved)
		return false;
	if (said->lost) {
		plan_remark(plan, "not all that ", plan->stage->name,
		    " has said could be kept (64 MiB at most), so its result "
		    "is not kept.");
		return false;
	}
	return inputs_kept_still(plan);
}

/* ---- keeping ---- */

static void
remark_store(struct stage_plan *plan, const char *what, struct span name)
{
	int failure = errno;
	struct buf after;

	if (!work_tells_unkept(plan->work))
		return;
	after = buf_new(plan->work->arena, 128);
	buf_str(&after, " cannot be kept (");
	buf_str(&after, strerror(failure));
	buf_str(&after, "), so the command will be run again.");
	plan_remark(
	    plan, what, name, arena_cstr(plan->work->arena, buf_span(&after)));
}

static struct span
inputs_json(struct arena *arena, const struct facts *facts)
{
	struct buf out = buf_new(arena, 512);

	buf_char(&out, '{');
	for (int kind = 0; kind < FACT_KINDS; kind++) {
		if (kind == FACT_OUTPUT)
			continue;
		buf_str(&out, kind > 0 ? ",\"" : "\"");
		buf_str(&out, fact_section((enum fact_kind)kind));
		buf_str(&out, "\":");
		facts_emit(&out, facts, (enum fact_kind)kind, "", "");
	}
	buf_char(&out, '}');
	return buf_span(&out);
}

static bool
save_record(struct stage_plan *plan, const struct facts *outputs)
{
	struct arena *arena = plan->work->arena;
	const struct stage_result *result = &plan->result;
	struct buf outs = buf_new(arena, 256);
	struct record record = {
	    .key = plan_key(plan),
	    .value = result->out,
	    .life.created_ms = result->created_ms,
	    .kind = SPAN("stage"),
	    .status = SPAN("done"),
	    .exited = true,
	    .exit = (uint64_t)result->exit,
	    .inputs = inputs_json(arena, &plan->in.facts),
	    .flow = plan->stage->flow,
	    .phase = plan->stage->name,
	    .creator = record_creator(arena),
	    .tool_version = SPAN(READCACHE_VERSION),
	};

	if (result->err.n > 0)
		record.errors = result->err;
	if (result->order.n > 0)
		record.order = result->order;
	if (result->exit == 0) {
		facts_emit(&outs, outputs, FACT_OUTPUT, "", "");
		record.outs = buf_span(&outs);
	}
	return record_save(&plan->work->records, &record);
}

/* Say which files of the output directory OUT are not kept. */
static void
tell_files(
    struct stage_plan *plan, struct span out, const struct withheld *withheld)
{
	struct buf after = buf_new(plan->work->arena, 160 + out.n);

	if (withheld->n > 1) {
		buf_str(&after, " and other files (");
		buf_u64(&after, withheld->n);
		buf_str(&after,
		    " in all) look like secrets, or your settings exclude "
		    "them, so no copies of them are kept");
	} else {
		buf_str(&after,
		    " looks like a secret, or your settings exclude it, so no "
		    "copy of it is kept");
	}
	buf_str(&after, ", and ");
	buf_add(&after, out);
	buf_str(&after, " cannot be brought back.");
	plan_remark(plan, "", withheld->first,
	    arena_cstr(plan->work->arena, buf_span(&after)));
}

/*
 * Say which outputs are not kept although they were declared to be: their user
 * would expect them to come back.
 */
static void
tell_withheld(struct stage_plan *plan, const struct withheld *withheld)
{
	const struct stage *stage = plan->stage;

	for (size_t i = 0; i < stage->nouts; i++) {
		struct span path = input_path(plan->work, stage->outs[i].path);

		if (withheld[i].n > 0)
			tell_files(plan, path, &withheld[i]);
		else if (stage->outs[i].keep == OUT_KEPT &&
			 !output_is_kept(plan->work, &stage->outs[i]) &&
			 work_tells_withheld(plan->work))
			plan_remark(plan, "the output ", path,
			    " looks like a secret, or your settings exclude "
			    "it (or cannot be read), so no copy of it is "
			    "kept.");
	}
}

/* Can the outputs be kept as they are?  If not, say why. */
static bool
outputs_are_plain(struct stage_plan *plan, const struct facts *outputs)
{
	struct span which = SPAN("");

	switch (outputs_place(plan->work, plan->stage, &which)) {
	case OUT_IN_PLACE:
		break;
	case OUT_IS_LINK:
		plan_remark(plan, "the output ", which,
		    " is a link, which is not followed, so the result is not "
		    "kept.");
		return false;
	case OUT_IS_ELSEWHERE:
		plan_remark(plan, "the output ", which,
		    " leads out of the project by a link, so the result is not "
		    "kept.");
		return false;
	}
	if (!outputs_unknown(outputs, &which))
		return true;
	plan_remark(plan, "the output ", which,
	    " has a link or an empty directory in it, or cannot be read, so "
	    "the result is not kept.");
	return false;
}

bool
plan_keep(struct stage_plan *plan, const struct facts *outputs)
{
	struct work *work = plan->work;
	struct withheld *withheld =
	    arena_array(work->arena, plan->stage->nouts, sizeof(*withheld));
	struct span which = SPAN("");

	if (plan->result.exit == 0 && !outputs_are_plain(plan, outputs))
		return false;
	if (plan->result.exit == 0 &&
	    !outputs_keep(work, plan->stage, outputs, withheld, &which)) {
		remark_store(plan, "the output ", which);
		return false;
	}
	if (!plan_is_locked(plan)) {
		errno = plan->unlocked;
		remark_store(plan, "the record of ", plan->stage->name);
		return false;
	}
	plan->life = (struct lifetime){.created_ms = plan->result.created_ms};
	if (!save_record(plan, outputs)) {
		remark_store(plan, "the record of ", plan->stage->name);
		return false;
	}
	plan->result.recorded = true;
	if (plan->result.exit == 0) {
		tell_withheld(plan, withheld);
		plan_note_success(plan, outputs);
	}
	return true;
}

bool
stage_finish(struct stage_plan *plan, int exit, struct said *said)
{
	struct facts outputs = outputs_look(plan->work, plan->stage);
	struct span missing;
	bool whole = true;

	plan->result = (struct stage_result){
	    .exit = exit,
	    .out = buf_span(&said->text[SAID_OUT]),
	    .err = buf_span(&said->text[SAID_ERR]),
	    .order = said_order(said),
	    .created_ms = clock_now(),
	    .key = plan->in.key,
	};
	if (exit == 0 &&
	    outputs_missing(plan->work, plan->stage, &outputs, &missing)) {
		plan_remark(plan, "the command has not made its output ",
		    missing, ", so its result is not kept.");
		whole = false;
	}
	if (whole && may_keep(plan, exit, said))
		(void)plan_keep(plan, &outputs);
	if (whole && exit == 0)
		aside_drop(plan);
	else
		aside_come_back(plan);
	if (!plan->result.recorded || exit != 0)
		aside_note_ours(plan);
	still_end(plan->still);
	plan->still = NULL;
	plan_release(plan);
	return whole && exit == 0;
}

/* ---- all in one ---- */

/* The command could not be started: remark it, and give the plan up. */
static bool
not_started(struct stage_plan *plan, int failure)
{
	struct buf why = buf_new(plan->work->arena, 64);

	buf_str(&why, ": ");
	buf_str(&why, strerror(errno));
	plan_remark(plan, "", plan->stage->argv[0],
	    arena_cstr(plan->work->arena, buf_span(&why)));
	plan->result.exit = failure;
	stage_abandon(plan);
	return false;
}

bool
stage_do(struct stage_plan *plan, enum exec_echo echo, lock_waiting *waiting,
    void *context)
{
	struct exec_command command;
	struct exec_child *child;
	int failure;
	bool done;

	switch (stage_settle(plan, LOCK_WAIT, waiting, context)) {
	case SETTLE_HIT:
		return plan->result.exit == 0;
	case SETTLE_BUSY:
	case SETTLE_FAILED:
		plan->result.exit = EXEC_OURSELVES;
		return false;
	case SETTLE_RUN:
		break;
	}
	command = stage_command(plan);
	command.echo = echo;
	child = exec_start(plan->work->arena, &command, &failure);
	if (child == NULL)
		return not_started(plan, failure);
	while (exec_wait(&child, 1, -1) == NULL)
		;
	done = stage_finish(plan, exec_status(child), exec_said(child));
	if (exec_heard(child))
		return done;
	plan_remark(plan, "what ", plan->stage->name,
	    " has said could not be passed on.");
	plan->result.exit = EXEC_OURSELVES;
	return false;
}
