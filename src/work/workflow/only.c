#include "work/workflow/only.h"

#include "work/workflow/judge.h"

/*
 * Set node I to its state in the session.  False if the session has no result.
 */
static bool
freeze(struct flow_run *run, size_t i)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	const struct session_node *known =
	    session_find(&run->session, node->id);
	struct node_run *it = &run->nodes[i];
	struct record record;

	if (known == NULL || known->ending != ENDED_WELL)
		return false;
	it->outcome = OUTCOME_REUSED;
	it->verdict.decision = DECISION_REUSE;
	it->verdict.tier = TIER_RUN;
	it->stamp = known->stamp;
	it->is_stamped = true;
	it->passed = judge_passed(known->above, known->nabove);
	it->is_passed = true;
	it->created_ms = known->cached_ms;
	/* If the value is missing, the node that refers to it reports that. */
	if (record_load(&run->engine->work->records, known->key, 0, RECORD_LOOK,
		&record) != RECORD_HIT)
		return true;
	run->values[i] = (struct value){
	    .known = true,
	    .exit = (int)record.exit,
	    .out = record.value,
	    .err = record.errors.p != NULL ? record.errors : SPAN(""),
	    .json = record.json.p != NULL ? record.json : SPAN(""),
	};
	return true;
}

static bool
freeze_above(struct flow_run *run, size_t i, struct span *missing)
{
	const struct parents *parents = &run->bundle->graph.parents[i];

	for (size_t k = 0; k < parents->n; k++) {
		size_t from = parents->at[k].from;

		if (!freeze(run, from)) {
			*missing = run->bundle->workflow.nodes[from].id;
			return false;
		}
	}
	return true;
}

static const char *
sentence(
    struct arena *arena, const char *before, struct span id, const char *after)
{
	struct buf text = buf_new(arena, 128);

	buf_str(&text, before);
	buf_add(&text, id);
	buf_str(&text, after);
	return arena_cstr(arena, buf_span(&text));
}

const char *
only_prepare(struct flow_run *run)
{
	struct arena *arena = run->engine->work->arena;
	struct span only = run->engine->options.only, missing;
	size_t i = graph_find(&run->bundle->graph, only);

	if (i == run->bundle->graph.n)
		return sentence(arena, "there is no node \"", only, "\".");
	if (run->bundle->source.saved)
		return "--only needs the session of a workflow file; a saved "
		       "workflow has none.";
	if (!freeze_above(run, i, &missing))
		return sentence(arena, "--only: there is no result of '",
		    missing,
		    "' in the session; run the whole workflow "
		    "first.");
	/* No other node gets a turn. */
	for (size_t k = 0; k < run->bundle->graph.n; k++)
		run->skipped[k] = k != i;
	return NULL;
}
