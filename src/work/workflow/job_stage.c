/* Nodes with files: stage/ does the work. */
#include "work/stage/stage.h"

#include <errno.h>

#include "work/workflow/files.h"
#include "work/workflow/job.h"
#include "json/canon.h"

/* ---- the stage of a node ---- */

/*
 * Set the parameters of STAGE.  PARAMS is the canonical object with all values
 * in place, WRITTEN is what the workflow's file has.  A parameter that is not
 * as it was written has a value or the content of a file in it, which the lock
 * must not spell out.
 */
static void
set_params(struct stage *stage, struct arena *arena, struct span written,
    struct span params)
{
	struct json_doc doc = json_doc(arena);
	struct json_items members = json_members(&doc, params), before;
	struct span name, value, canonical = SPAN("{}"), as_written;

	while (json_member(&members, &name, &value))
		stage->nparams++;
	stage->params =
	    arena_array(arena, stage->nparams, sizeof(*stage->params));
	if (written.n > 0 && canon_json(arena, written, &canonical) != NULL)
		canonical = SPAN("{}");
	/* Both are sorted, and values change no names. */
	before = json_members(&doc, canonical);
	members = json_members(&doc, params);
	for (size_t i = 0; json_member(&members, &name, &value); i++) {
		struct span other;
		bool known = json_member(&before, &other, &as_written);

		stage->params[i] = (struct stage_param){name, value,
		    !known || !span_eq(other, name) ||
			!span_eq(as_written, value)};
	}
}

bool
job_stage(struct flow_run *run, size_t i, struct stage *stage)
{
	struct resolver r = judge_resolver(run, i);
	struct work *work = run->engine->work;
	const struct node *node = r.node;
	const char *why;
	struct span params;

	r.makes_files = run->engine->options.mode == ENGINE_RUN;
	*stage = files_of(work->arena, node);
	stage->flow = run->bundle->source.stages;
	stage->name = node->id;
	stage->cwd = work->root;
	stage->env = node->env.at;
	stage->nenv = node->env.n;
	stage->fingerprints = node->fingerprint.at;
	stage->nfingerprints = node->fingerprint.n;
	stage->input = SPAN("");
	if (!resolve_params(&r, &params)) {
		(void)job_fail(run, i, r.why, NULL);
		return false;
	}
	set_params(stage, work->arena, node->params, params);
	if (!job_command(run, i, &r, &stage->argv, &stage->argc, &stage->input))
		return false;
	why = stage_check(work, stage);
	if (why != NULL)
		(void)job_fail(run, i, why, NULL);
	return why == NULL;
}

/* ---- its room ---- */

/*
 * What a stage allocates goes into the arena of its job, which is emptied when
 * the job ends.  Otherwise a run of many stages would hold thousands of names
 * that nobody needs.  Every call of stage/ is between enter_room and
 * leave_room.
 */
static struct arena *
enter_room(struct flow_run *run, size_t i)
{
	struct work *work = run->engine->work;
	struct arena *before = work->arena;
	struct job *job = run->nodes[i].job;

	if (run->engine->options.mode == ENGINE_LOOK)
		return before;
	if (job->room == NULL)
		job->room = arena_scratch(before);
	job->is_roomed = true;
	work->arena = job->room;
	return before;
}

static void
leave_room(struct flow_run *run, struct arena *before)
{
	run->engine->work->arena = before;
}

/* ---- its work ---- */

static void
pass_remarks(struct flow_run *run, size_t i)
{
	struct engine_listener *listener = &run->engine->listener;
	const char *sentence;

	while ((sentence = stage_remark(run->nodes[i].job->plan)) != NULL)
		listener->remark(listener->context, run, i, sentence);
}

enum job_state
job_plan_stage(struct flow_run *run, size_t i)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	struct node_run *it = &run->nodes[i];
	struct stage_policy policy = {.ttl_ms = node->ttl_ms};
	struct work *work = run->engine->work;
	struct stage *stage = arena_array(work->arena, 1, sizeof(*stage));
	struct arena *before;

	if (judge_is_forced(run, node))
		policy.flags |= STAGE_FORCE;
	if (node->scope == NODE_OFF)
		policy.flags |= STAGE_FORCE | STAGE_NO_COMMIT;
	if (run->wanted[i])
		policy.flags |= STAGE_WANT_SAID;
	if (!job_stage(run, i, stage))
		return JOB_FAILED;
	before = enter_room(run, i);
	it->job->plan = stage_plan(work, stage, &policy);
	leave_room(run, before);
	it->verdict = *stage_verdict(it->job->plan);
	return JOB_IS_DONE;
}

void
job_take_stage(struct flow_run *run, size_t i)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	struct node_run *it = &run->nodes[i];
	const struct stage_result *result;
	char hex[DIGEST_HEX + 1];

	result = stage_result(it->job->plan);
	if (!run->wanted[i] || !result->recorded)
		return;
	run->values[i] = (struct value){
	    .known = true,
	    .exit = result->exit,
	    .out = result->out,
	    .err = result->err,
	    .json = SPAN(""),
	};
	it->created_ms = result->created_ms;
	digest_hex(&result->key, hex);
	it->record = span_str(arena_cstr(
	    run->engine->work->arena, (struct span){hex, DIGEST_HEX}));
	it->stamp = judge_stamp(
	    node, &run->values[i], it->record, result->created_ms, SPAN(""));
	it->is_stamped = true;
}

enum job_state
job_start_stage(struct flow_run *run, size_t i, enum lock_wait wait)
{
	struct node_run *it = &run->nodes[i];
	struct arena *before = enter_room(run, i), *room;
	struct exec_command command;
	int error;
	enum settle settled = stage_settle(
	    it->job->plan, wait, job_tell_waiting, &(struct job_place){run, i});

	room = run->engine->work->arena;
	leave_room(run, before);
	it->verdict = *stage_verdict(it->job->plan);
	switch (settled) {
	case SETTLE_BUSY:
		return JOB_IS_BUSY;
	case SETTLE_HIT:
		job_take_stage(run, i);
		pass_remarks(run, i);
		return JOB_IS_DONE;
	case SETTLE_FAILED:
		pass_remarks(run, i);
		return job_fail(
		    run, i, "its outputs cannot be made here.", NULL);
	case SETTLE_RUN:
		break;
	}
	command = stage_command(it->job->plan);
	command.echo = EXEC_QUIET;
	if (job_exec(run, i, room, &command))
		return JOB_WORKS;
	error = errno;
	before = enter_room(run, i);
	stage_abandon(it->job->plan);
	leave_room(run, before);
	errno = error;
	return job_not_started(run, i, command.argv);
}

enum job_state
job_finish_stage(struct flow_run *run, size_t i)
{
	struct node_run *it = &run->nodes[i];
	struct exec_child *child = it->job->child;
	int status = exec_status(child);
	struct arena *before = enter_room(run, i);
	bool good = stage_finish(
	    it->job->plan, status, (struct said *)exec_said(child));
	const struct stage_result *result = stage_result(it->job->plan);

	leave_room(run, before);
	it->job->child = NULL;
	pass_remarks(run, i);
	run->values[i] = (struct value){.known = good,
	    .exit = status,
	    .out = result->out,
	    .err = result->err,
	    .json = SPAN("")};
	if (!good)
		return status != 0
			   ? job_fail(
				 run, i, job_exit_text(run, "", status), NULL)
			   : job_fail(run, i, "an output was not made.", NULL);
	job_take_stage(run, i);
	return JOB_IS_DONE;
}
