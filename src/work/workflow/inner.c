#include "work/workflow/inner.h"

#include "work/workflow/job.h"

/* The node's params are the inputs of its workflow. */
static struct given_input *
inputs_of(struct arena *arena, struct span params, size_t *n)
{
	struct json_doc doc = json_doc(arena);
	struct json_items members = json_members(&doc, params);
	struct given_input *given;
	struct span name, value;

	*n = 0;
	while (json_member(&members, &name, &value))
		++*n;
	given = arena_array(arena, *n, sizeof(*given));
	members = json_members(&doc, params);
	for (size_t i = 0; json_member(&members, &name, &value); i++)
		given[i] =
		    (struct given_input){name, template_text(arena, value)};
	return given;
}

bool
inner_run(struct flow_run *run, size_t i)
{
	struct node_run *it = &run->nodes[i];
	struct engine *engine = run->engine;
	struct resolver r = judge_resolver(run, i);
	struct given_input *given;
	struct flow_run *inner;
	struct span params;
	const char *why;
	size_t n;

	r.makes_files = engine->options.mode == ENGINE_RUN;
	if (!resolve_params(&r, &params)) {
		(void)job_fail(run, i, r.why, NULL);
		return false;
	}
	given = inputs_of(r.arena, params, &n);
	inner = engine_begin(engine, run->bundle->inner[i], given, n, &why);
	if (inner == NULL) {
		(void)job_fail(run, i, why, NULL);
		return false;
	}
	inner->outer = run;
	inner->as = r.node;
	it->inner = inner;
	engine_go(inner);
	if (inner->failed || inner->blocked) {
		(void)job_fail(run, i, "the workflow inside ",
		    inner->failed ? "failed" : "is blocked", NULL);
		return false;
	}
	run->values[i] = inner->values[inner->bundle->graph.n - 1];
	return true;
}

/*
 * Was every inner node reused?  Also sets the stamp that stands for all of
 * them.
 */
static bool
sum_up(const struct flow_run *inner, struct node_run *it)
{
	bool reused = true;
	struct key key;

	it->is_stamped = true;
	key_begin(&key, "flow-inner", 1);
	for (size_t i = 0; i < inner->bundle->graph.n; i++) {
		const struct node_run *node = &inner->nodes[i];
		struct digest stamp;

		/*
		 * Of the last node the value counts: it is the value of the
		 * whole workflow.
		 */
		if (!judge_stamp_for(inner, i,
			i + 1 == inner->bundle->graph.n ? EDGE_VALUE
							: EDGE_ORDER,
			&stamp))
			it->is_stamped = false;
		key_add_digest(&key, "stamp", &stamp);
		reused = reused && node->outcome == OUTCOME_REUSED;
		if (node->created_ms > it->created_ms)
			it->created_ms = node->created_ms;
	}
	it->stamp = key_end(&key);
	return reused;
}

void
inner_enter(struct flow_run *run, size_t i)
{
	struct node_run *it = &run->nodes[i];
	bool looking = run->engine->options.mode == ENGINE_LOOK;

	if (!inner_run(run, i)) {
		it->outcome = looking ? OUTCOME_STALE
			      : it->inner != NULL && it->inner->blocked
				  ? OUTCOME_BLOCKED
				  : OUTCOME_FAILED;
		return;
	}
	if (sum_up(it->inner, it)) {
		it->outcome = OUTCOME_REUSED;
		it->verdict.decision = DECISION_REUSE;
		it->verdict.tier = TIER_RUN;
		return;
	}
	it->outcome = looking ? OUTCOME_STALE : OUTCOME_DONE;
}
