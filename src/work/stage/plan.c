#include "work/stage/plan.h"

#include "work/stage/facts_json.h"
#include "work/stage/generation.h"
#include "work/stage/lockfile.h"

/* ---- remarks and results ---- */

void
plan_remark(struct stage_plan *plan, const char *before, struct span name,
    const char *after)
{
	struct arena *arena = plan->work->arena;
	struct plan_remark *remark = arena_array(arena, 1, sizeof(*remark));
	struct buf sentence = buf_new(arena, 128 + name.n);

	buf_str(&sentence, before);
	buf_add(&sentence, name);
	buf_str(&sentence, after);
	remark->sentence = arena_cstr(arena, buf_span(&sentence));
	if (plan->remarks != NULL)
		plan->last_remark->next = remark;
	else
		plan->remarks = remark;
	plan->last_remark = remark;
}

const char *
stage_remark(struct stage_plan *plan)
{
	struct plan_remark *first = plan->remarks;

	if (first == NULL)
		return NULL;
	plan->remarks = first->next;
	return first->sentence;
}

struct span
plan_key(const struct stage_plan *plan)
{
	char *hex = arena_alloc(plan->work->arena, DIGEST_HEX + 1);

	digest_hex(&plan->in.key, hex);
	return (struct span){hex, DIGEST_HEX};
}

const struct verdict *
stage_verdict(const struct stage_plan *plan)
{
	return &plan->verdict;
}

const struct stage_result *
stage_result(const struct stage_plan *plan)
{
	return &plan->result;
}

/* ---- deciding ---- */

static void
because(struct stage_plan *plan, enum reason reason, struct span subject,
    struct span now)
{
	verdict_add(plan->work->arena, &plan->verdict, reason, subject,
	    VERDICT_UNKNOWN, now);
}

static void
reuse(struct stage_plan *plan, enum tier tier)
{
	verdict_reuse(&plan->verdict, tier, plan->life.created_ms);
	if (plan->verdict.first == NULL)
		verdict_because(plan->work->arena, &plan->verdict, REASON_SAME);
}

static bool
wants_said(const struct stage_plan *plan)
{
	return (plan->policy.flags & STAGE_WANT_SAID) != 0;
}

static void
take_result(struct stage_plan *plan, const struct record *record)
{
	plan->life = record->life;
	plan->result = (struct stage_result){
	    .exit = record->exited ? (int)record->exit : 0,
	    .out = record->value,
	    .err = record->errors.p != NULL ? record->errors : SPAN(""),
	    .order = record->order.p != NULL ? record->order : SPAN(""),
	    .created_ms = record->life.created_ms,
	    .key = plan->in.key,
	    .recorded = true,
	};
}

static bool
is_unwanted_failure(const struct stage_plan *plan)
{
	return plan->record.exited && plan->record.exit != 0 &&
	       (plan->policy.flags & STAGE_KEEP_FAILURES) == 0;
}

/* Load the record of these inputs, once.  Can it be used? */
static bool
has_record(struct stage_plan *plan)
{
	if (!plan->asked) {
		plan->asked = true;
		plan->got = record_load(&plan->work->records, plan_key(plan),
		    plan->policy.ttl_ms, plan->work->use, &plan->record);
	}
	if (plan->got != RECORD_HIT || is_unwanted_failure(plan))
		return false;
	take_result(plan, &plan->record);
	return true;
}

/* Why the record cannot be used. */
static enum reason
reason_of(const struct stage_plan *plan)
{
	return plan->got == RECORD_HIT ? REASON_NOT_DONE
				       : record_reason(plan->got);
}

/* Tier 1: is everything as noted, with no file read to see it? */
static bool
decide_by_generation(struct stage_plan *plan, uint64_t reads_before)
{
	struct generation_note noted, now;

	/* What is only expected (expect.h) has no generation yet. */
	if (plan->work->expected != NULL ||
	    plan->work->hasher.reads != reads_before ||
	    !generation_noted(plan->work, plan->stage, &noted) ||
	    !generation_now(plan->work, plan->stage, &plan->in, &plan->outputs,
		noted.life, &now) ||
	    !generation_same(&noted, &now) ||
	    clock_judge(&noted.life, plan->policy.ttl_ms, clock_now()) != FRESH)
		return false;
	plan->wanted = plan->outputs;
	plan->life = noted.life;
	if (wants_said(plan) && !has_record(plan))
		return false;
	reuse(plan, TIER_GENERATION);
	return true;
}

/* The facts of kind FACT_OUTPUT among FACTS. */
static struct facts
only_outputs(struct arena *arena, const struct facts *facts)
{
	struct facts only = {0};

	for (size_t i = 0; i < facts->n; i++)
		if (facts->list[i].kind == FACT_OUTPUT)
			facts_add(arena, &only, FACT_OUTPUT,
			    facts->list[i].name, facts->list[i].value);
	return only;
}

/*
 * Find out when it was done: every hit reports its age, but the lock has no
 * times.
 */
static void
find_age(struct stage_plan *plan)
{
	struct generation_note noted;

	if (plan->life.created_ms != 0)
		return;
	if (generation_noted(plan->work, plan->stage, &noted) &&
	    digest_eq(&noted.key, &plan->in.key))
		plan->life = noted.life;
	else
		(void)has_record(plan);
}

/* Tier 2: is everything as the lock says? */
static bool
find_by_lock(struct stage_plan *plan)
{
	struct work *work = plan->work;
	struct lockfile lock;

	if (!lockfile_load(work->arena, work->store,
		work_locks(work, plan->stage->flow, DIR_LOOK),
		plan->stage->flow, plan->stage->name, &lock))
		return false;
	if (facts_compare(
		work->arena, &lock.facts, &plan->in.facts, &plan->verdict))
		return false;
	if ((wants_said(plan) || plan->policy.ttl_ms != 0) && !has_record(plan))
		return false;
	find_age(plan);
	plan->wanted = only_outputs(work->arena, &lock.facts);
	return true;
}

/* Tier 3: was it done before with these inputs? */
static bool
find_by_record(struct stage_plan *plan)
{
	struct json_doc doc = json_doc(plan->work->arena);

	plan->wanted = (struct facts){0};
	if (!has_record(plan)) {
		/* What changed says more than that there is no record. */
		if (plan->got != RECORD_ABSENT || plan->verdict.first == NULL)
			because(
			    plan, reason_of(plan), SPAN(""), VERDICT_UNKNOWN);
		return false;
	}
	if (plan->record.outs.p == NULL)
		return true; /* a kept failure has no outputs */
	if (!facts_take(&doc, plan->record.outs, FACT_OUTPUT, &plan->wanted)) {
		because(plan, REASON_DAMAGED, SPAN(""), VERDICT_UNKNOWN);
		return false;
	}
	facts_sort(&plan->wanted);
	return true;
}

/* Is output I there, or can it be brought back?  If not, add the reason. */
static bool
output_comes_back(struct stage_plan *plan, struct blobs *blobs, size_t i)
{
	struct span path = input_path(plan->work, plan->stage->outs[i].path);
	const struct span *now = facts_find(&plan->outputs, FACT_OUTPUT, path);
	const struct span *wanted =
	    facts_find(&plan->wanted, FACT_OUTPUT, path);
	struct due *due = &plan->dues[plan->ndues];

	*due = (struct due){.path = path};
	if (wanted == NULL || !content_parse(*wanted, &due->content) ||
	    due->content.kind == CONTENT_ABSENT) {
		because(plan, REASON_BLOB, path, VERDICT_UNKNOWN);
		return false;
	}
	if (now != NULL && span_eq(*now, *wanted))
		return true;
	plan->ndues++;
	because(plan,
	    now == NULL || span_eq(*now, SPAN("absent")) ? REASON_OUT_MISSING
							 : REASON_OUT,
	    path, VERDICT_UNKNOWN);
	if (!output_is_kept(plan->work, &plan->stage->outs[i]))
		return false;
	if (blob_check_content(
		blobs, &due->content, BLOB_LOOK, &due->manifest) == BLOB_GOOD)
		return true;
	because(plan, REASON_BLOB, path, VERDICT_UNKNOWN);
	return false;
}

static bool
outputs_come_back(struct stage_plan *plan)
{
	struct work *work = plan->work;
	struct blobs blobs = blobs_in(work->store, &work->hasher, DIR_LOOK);
	bool all = true;

	blobs.linked = work->modes.order[0] == CHECKOUT_HARDLINK;
	plan->dues = arena_array(
	    work->arena, plan->stage->nouts + 1, sizeof(*plan->dues));
	if (plan->result.recorded && plan->result.exit != 0)
		return true; /* a failure has no outputs */
	for (size_t i = 0; i < plan->stage->nouts && all; i++)
		all = output_comes_back(plan, &blobs, i);
	arena_close_fd(work->store->arena, blobs.objects);
	return all;
}

void
plan_decide(struct stage_plan *plan)
{
	uint64_t reads = plan->work->hasher.reads;
	enum tier tier = TIER_LOCK;

	plan->verdict = (struct verdict){.decision = DECISION_WORK};
	plan->asked = false;
	plan->ndues = 0;
	plan->life = (struct lifetime){0};
	plan->result = (struct stage_result){0};
	plan->in = inputs_look(plan->work, plan->stage);
	if (!plan->in.resolved) {
		because(plan, REASON_UNRESOLVABLE, plan->in.unresolved,
		    plan->in.why);
		return;
	}
	if ((plan->policy.flags & STAGE_FORCE) != 0) {
		because(plan, REASON_FORCED, SPAN(""), VERDICT_UNKNOWN);
		return;
	}
	plan->outputs = outputs_look(plan->work, plan->stage);
	if (decide_by_generation(plan, reads))
		return;
	if (!find_by_lock(plan)) {
		tier = TIER_RUN_CACHE;
		if (!find_by_record(plan))
			return;
	}
	if (outputs_come_back(plan))
		reuse(plan, tier);
}

struct stage_plan *
stage_plan(struct work *work, const struct stage *stage,
    const struct stage_policy *policy)
{
	struct stage_plan *plan = arena_array(work->arena, 1, sizeof(*plan));

	plan->work = work;
	plan->stage = stage;
	plan->policy = *policy;
	plan_decide(plan);
	return plan;
}

/* ---- what is declared ---- */

bool
stage_declares_nothing(const struct stage_plan *plan)
{
	const struct stage *stage = plan->stage;

	return stage->ndeps == 0 && stage->ncode == 0 && stage->nparams == 0 &&
	       stage->nenv == 0 && stage->nfingerprints == 0 &&
	       stage->input.n == 0 && plan->policy.ttl_ms == 0 &&
	       plan->in.nnamed == 0;
}

/* A misspelled name would never be seen to change. */
void
plan_tell_missing(struct stage_plan *plan)
{
	struct buf names = buf_new(plan->work->arena, 64);
	size_t n = 0;

	for (size_t i = 0; i < plan->in.facts.n; i++) {
		const struct fact *fact = &plan->in.facts.list[i];

		if ((fact->kind != FACT_DEP && fact->kind != FACT_CODE) ||
		    !span_eq(fact->value, SPAN("absent")))
			continue;
		if (n++ > 0)
			buf_str(&names, ", ");
		buf_add(&names, fact->name);
	}
	if (n > 0)
		plan_remark(plan, n == 1 ? "this input is not there: "
					 : "these inputs are not there: ",
		    buf_span(&names), ".");
}

/* ---- noting a success ---- */

void
plan_note_success(struct stage_plan *plan, const struct facts *outputs)
{
	struct work *work = plan->work;
	const struct stage *stage = plan->stage;
	struct lockfile lock = {.record = plan->in.key};
	struct generation_note note;

	for (size_t i = 0; i < plan->in.facts.n; i++)
		facts_add(work->arena, &lock.facts, plan->in.facts.list[i].kind,
		    plan->in.facts.list[i].name, plan->in.facts.list[i].value);
	for (size_t i = 0; i < outputs->n; i++)
		facts_add(work->arena, &lock.facts, FACT_OUTPUT,
		    outputs->list[i].name, outputs->list[i].value);
	facts_sort(&lock.facts);
	if (!lockfile_save(work->store, work_locks(work, stage->flow, DIR_MAKE),
		stage->flow, stage->name, &lock)) {
		if (work_tells_lock(work))
			plan_remark(plan, "the lock of ", stage->name,
			    " cannot be written, so its result is found by its "
			    "record only.");
		return;
	}
	if (generation_now(work, stage, &plan->in, outputs, plan->life, &note))
		generation_leave(work, stage, &note);
}
