#include "work/workflow/node.h"

#include <time.h>

#include "work/workflow/inner.h"
#include "work/workflow/job.h"
#include "work/workflow/quiet.h"

uint64_t
node_clock_us(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* ---- how a node ends ---- */

static void
end_node(struct flow_run *run, size_t i, enum outcome outcome)
{
	struct engine_listener *listener = &run->engine->listener;
	struct node_run *it = &run->nodes[i];

	it->outcome = outcome;
	it->took_us = node_clock_us() - it->began_us;
	if (outcome == OUTCOME_FAILED)
		run->failed = true;
	if (outcome == OUTCOME_BLOCKED)
		run->blocked = true;
	listener->ended(listener->context, run, i);
	job_close(run, i);
}

static void
tell_decided(struct flow_run *run, size_t i)
{
	struct engine_listener *listener = &run->engine->listener;

	listener->decided(listener->context, run, i);
}

static void
begin_working(struct flow_run *run, size_t i)
{
	run->nodes[i].outcome = OUTCOME_WORKING;
	run->at_work[run->working++] = i;
}

static void
end_working(struct flow_run *run, size_t i)
{
	size_t k = 0;

	while (run->at_work[k] != i)
		k++;
	run->at_work[k] = run->at_work[--run->working];
}

/* A node without files has worked: keep its result. */
static void
end_work(struct flow_run *run, size_t i, enum outcome outcome)
{
	struct node_run *it = &run->nodes[i];

	it->outcome = outcome;
	it->took_us = node_clock_us() - it->began_us;
	job_keep(run, i, &it->job->judged);
	end_node(run, i, outcome);
}

static void
fail_node(struct flow_run *run, size_t i)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	struct node_run *it = &run->nodes[i];
	enum outcome outcome =
	    node->type == NODE_GATE && run->values[i].exit != 0
		? OUTCOME_BLOCKED
		: OUTCOME_FAILED;

	if (run->engine->options.mode == ENGINE_LOOK) {
		end_node(run, i, OUTCOME_STALE);
	} else if (node_is_stage(node)) {
		it->outcome = outcome;
		it->created_ms = clock_now();
		job_note_stage(run, i);
		end_node(run, i, outcome);
	} else {
		end_work(run, i, outcome);
	}
}

/* ---- nodes without files ---- */

static void
reuse(struct flow_run *run, size_t i, const struct judgement *judged)
{
	struct node_run *it = &run->nodes[i];

	it->verdict = judged->verdict;
	it->stamp = judged->stamp;
	it->is_stamped = true;
	it->created_ms = judged->created_ms;
	run->values[i] = judged->value;
	end_node(run, i, OUTCOME_REUSED);
}

/*
 * In the run that is resumed, was approval asked for another text?  Whoever
 * approves now has seen that text, not this one.
 */
static bool
was_asked_otherwise(struct flow_run *run, size_t i)
{
	const struct session_node *known = session_find(
	    &run->session, run->bundle->workflow.nodes[i].id);
	struct span resume = run->engine->options.resume;

	return resume.n > 0 && known != NULL && span_eq(known->run, resume) &&
	       !digest_eq(&known->config,
		   &run->nodes[i].job->judged.parts.config);
}

static bool
is_approved(const struct flow_run *run, const struct node *node)
{
	const struct names *given = &run->engine->options.approve;

	for (size_t i = 0; i < given->n; i++)
		if (span_eq(given->at[i], node->id))
			return true;
	return false;
}

/* A person's decision: given on the command line, or missing. */
static void
end_approval(struct flow_run *run, size_t i)
{
	const struct node *node = &run->bundle->workflow.nodes[i];

	bool otherwise = was_asked_otherwise(run, i);

	if (is_approved(run, node) && !otherwise) {
		run->values[i] = (struct value){.known = true,
		    .out = SPAN(""),
		    .err = SPAN(""),
		    .json = SPAN("")};
		end_work(run, i, OUTCOME_DONE);
		return;
	}
	(void)job_fail(run, i,
	    otherwise ? "the workflow has changed since it was asked; it waits "
			"for an approval again"
		      : "it waits for an approval",
	    NULL);
	end_work(run, i, OUTCOME_BLOCKED);
}

/* Take the locks that keep two processes from doing the same work. */
static enum lock_result
lock_node(struct flow_run *run, size_t i, enum lock_wait wait)
{
	struct job *job = run->nodes[i].job;
	const struct node *node = &run->bundle->workflow.nodes[i];
	struct key name;
	struct digest digest;
	struct lock_wish wishes[3];
	size_t n = 0;

	key_begin(&name, "flow-node-lock", 1);
	key_add(&name, "path", run->bundle->source.path);
	key_add(&name, "id", node->id);
	digest = key_end(&name);
	wishes[n++] = (struct lock_wish){lock_store_name(), LOCK_SHARED};
	wishes[n++] = (struct lock_wish){digest, LOCK_EXCLUSIVE};
	if (node->scope == NODE_CROSS_RUN)
		wishes[n++] =
		    (struct lock_wish){job->judged.key, LOCK_EXCLUSIVE};
	return lock_take(run->engine->work->store, wishes, n, wait,
	    job_tell_waiting, &(struct job_place){run, i}, &job->locks);
}

/* Must another process be kept from doing the same? */
static bool
must_lock(const struct flow_run *run, const struct judgement *judged,
    const struct node *node)
{
	return judged->keep && !judge_is_forced(run, node) &&
	       (node->scope == NODE_CROSS_RUN ||
		   !(run->bundle->source.saved ||
		       run->engine->options.no_session));
}

/* Do the work of node I.  False if another process does it: ask again later. */
static bool
work_on_node(struct flow_run *run, size_t i)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	struct node_run *it = &run->nodes[i];
	struct job *job = it->job;

	if (must_lock(run, &job->judged, node)) {
		if (lock_node(run, i,
			run->working > 0 ? LOCK_TRY : LOCK_WAIT) == LOCK_BUSY)
			return false;
		/* Another process may have done it meanwhile. */
		if (session_reload(&run->session) ||
		    node->scope == NODE_CROSS_RUN)
			job->judged = judge_node(run, i);
		if (job->judged.verdict.decision == DECISION_REUSE) {
			reuse(run, i, &job->judged);
			return true;
		}
	}
	it->verdict = job->judged.verdict;
	if (job->judged.keep)
		job->steady = steady_begin(run, i);
	tell_decided(run, i);
	if (node->type == NODE_APPROVAL) {
		end_approval(run, i);
		return true;
	}
	if (node->type == NODE_FLOW) {
		if (inner_run(run, i))
			end_work(run, i, OUTCOME_DONE);
		else
			end_work(run, i,
			    it->inner != NULL && it->inner->blocked
				? OUTCOME_BLOCKED
				: OUTCOME_FAILED);
		return true;
	}
	switch (job_start(run, i)) {
	case JOB_WORKS:
		begin_working(run, i);
		break;
	case JOB_IS_DONE:
		end_work(run, i, OUTCOME_DONE);
		break;
	case JOB_IS_BUSY:
	case JOB_FAILED:
		fail_node(run, i);
		break;
	}
	return true;
}

/*
 * When looking: does node I read something from a node that would be run?  For
 * a node without files its judgement covers the other edges.
 */
static void
look_above(struct flow_run *run, size_t i)
{
	bool stage = node_is_stage(&run->bundle->workflow.nodes[i]) ||
		     run->bundle->workflow.nodes[i].type == NODE_FLOW;
	const struct parents *parents = &run->bundle->graph.parents[i];
	struct node_run *it = &run->nodes[i];

	for (size_t k = 0; k < parents->n; k++) {
		size_t from = parents->at[k].from;
		unsigned why = parents->at[k].why;
		bool counts = stage ? (why & (EDGE_FILE | EDGE_VALUE)) != 0
				    : why == EDGE_FILE;

		if (!counts || run->nodes[from].outcome != OUTCOME_STALE)
			continue;
		if (it->verdict.decision == DECISION_REUSE)
			it->verdict =
			    (struct verdict){.decision = DECISION_WORK};
		verdict_add(run->engine->work->arena, &it->verdict,
		    REASON_UPSTREAM, run->bundle->workflow.nodes[from].id,
		    VERDICT_UNKNOWN, VERDICT_UNKNOWN);
	}
}

static bool
begin_value(struct flow_run *run, size_t i)
{
	struct node_run *it = &run->nodes[i];
	struct judgement *judged = &it->job->judged;

	*judged = judge_node(run, i);
	if (judged->why != NULL) {
		it->verdict = judged->verdict;
		(void)job_fail(run, i, judged->why, NULL);
		fail_node(run, i);
		return true;
	}
	if (run->engine->options.mode == ENGINE_LOOK) {
		it->verdict = judged->verdict;
		look_above(run, i);
		judged->verdict = it->verdict;
	}
	if (judged->verdict.decision == DECISION_REUSE) {
		reuse(run, i, judged);
		return true;
	}
	if (run->engine->options.mode == ENGINE_RUN)
		return work_on_node(run, i);
	it->verdict = judged->verdict;
	/* The inner nodes say more about what would be done. */
	if (run->bundle->inner[i] != NULL) {
		inner_enter(run, i);
		it->verdict = judged->verdict;
		it->is_stamped = false;
		end_node(run, i, OUTCOME_STALE);
		return true;
	}
	if (node_decides(&run->bundle->workflow.nodes[i]))
		judge_expect(run, i, judged);
	end_node(run, i, OUTCOME_STALE);
	return true;
}

/* ---- nodes with files ---- */

static void
look_at_stage(struct flow_run *run, size_t i)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	const struct session_node *known =
	    session_find(&run->session, node->id);
	struct node_run *it = &run->nodes[i];

	look_above(run, i);
	if (it->verdict.decision == DECISION_REUSE) {
		stage_expect(it->job->plan);
		job_take_stage(run, i);
		if (!it->is_stamped && known != NULL) {
			it->stamp = known->stamp;
			it->is_stamped = true;
		}
	}
	end_node(run, i,
	    it->verdict.decision == DECISION_REUSE ? OUTCOME_REUSED
						   : OUTCOME_STALE);
}

/* Note it only if it is new: a run that changes nothing writes nothing. */
static void
note_stage(struct flow_run *run, size_t i)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	const struct session_node *known =
	    session_find(&run->session, node->id);
	const struct node_run *it = &run->nodes[i];

	if (it->outcome == OUTCOME_REUSED && known != NULL &&
	    known->ending == ENDED_WELL &&
	    (!it->is_stamped || digest_eq(&known->stamp, &it->stamp)))
		return;
	job_note_stage(run, i);
}

static void
end_stage(struct flow_run *run, size_t i, enum outcome outcome)
{
	struct node_run *it = &run->nodes[i];

	it->outcome = outcome;
	it->took_us = node_clock_us() - it->began_us;
	if (it->created_ms == 0)
		it->created_ms = clock_now();
	note_stage(run, i);
	end_node(run, i, outcome);
}

static bool
begin_stage(struct flow_run *run, size_t i)
{
	if (job_plan_stage(run, i) == JOB_FAILED) {
		fail_node(run, i);
		return true;
	}
	if (run->engine->options.mode == ENGINE_LOOK) {
		look_at_stage(run, i);
		return true;
	}
	switch (
	    job_start_stage(run, i, run->working > 0 ? LOCK_TRY : LOCK_WAIT)) {
	case JOB_IS_BUSY:
		return false;
	case JOB_IS_DONE:
		end_stage(run, i, OUTCOME_REUSED);
		break;
	case JOB_FAILED:
		fail_node(run, i);
		break;
	case JOB_WORKS:
		begin_working(run, i);
		tell_decided(run, i);
		break;
	}
	return true;
}

/* ---- any node ---- */

bool
node_begin(struct flow_run *run, size_t i)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	struct node_run *it = &run->nodes[i];
	uint64_t created_ms;

	it->began_us = node_clock_us();
	if (run->engine->survey != NULL && run->outer == NULL &&
	    node_is_stage(node) &&
	    quiet_passes(run->engine->survey, run, i, &created_ms)) {
		verdict_reuse(&it->verdict, TIER_GENERATION, created_ms);
		end_node(run, i, OUTCOME_REUSED);
		return true;
	}
	quiet_stirs(run->engine->survey);
	if (it->job == NULL)
		job_open(run, i);
	/* Without the parents' values nothing can be planned. */
	if (run->engine->options.mode == ENGINE_LOOK &&
	    !judge_knows_values(run, i) &&
	    (node_is_stage(node) || node->type == NODE_FLOW)) {
		look_above(run, i);
		end_node(run, i, OUTCOME_STALE);
		return true;
	}
	if (node_is_stage(node))
		return begin_stage(run, i);
	if (node->type == NODE_FLOW &&
	    bundle_must_enter(run->bundle->inner[i])) {
		inner_enter(run, i);
		end_node(run, i, it->outcome);
		return true;
	}
	return begin_value(run, i);
}

void
node_finish(struct flow_run *run, size_t i)
{
	bool stage = node_is_stage(&run->bundle->workflow.nodes[i]);

	quiet_stirs(run->engine->survey);
	switch (stage ? job_finish_stage(run, i) : job_next(run, i)) {
	case JOB_WORKS:
		return;
	case JOB_IS_DONE:
		end_working(run, i);
		if (stage)
			end_stage(run, i, OUTCOME_DONE);
		else
			end_work(run, i, OUTCOME_DONE);
		return;
	case JOB_IS_BUSY:
	case JOB_FAILED:
		break;
	}
	end_working(run, i);
	fail_node(run, i);
}
