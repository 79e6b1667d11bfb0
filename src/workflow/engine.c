#include "workflow/engine.h"

#include <stdio.h>
#include <sys/random.h>
#include <time.h>

#include "workflow/inner.h"
#include "workflow/job.h"
#include "workflow/node.h"
#include "workflow/only.h"

#define RETRY_MS 50 /* how long to let another process work before asking */
#define SAVE_MS 500 /* how often stages are noted while they work */

struct span
engine_run_id(struct arena *arena)
{
	char text[sizeof("20261117-030405-") + 8];
	time_t now = time(NULL);
	uint32_t chance = 0;
	struct tm tm;

	/* Without chance the time still tells runs apart. */
	(void)!getrandom(&chance, sizeof(chance), 0);
	(void)strftime(
	    text, sizeof(text), "%Y%m%d-%H%M%S-", gmtime_r(&now, &tm));
	(void)snprintf(text + 16, sizeof(text) - 16, "%08x", chance);
	return span_str(arena_cstr(arena, span_str(text)));
}

static void
ignore_node(void *context, const struct flow_run *run, size_t i)
{
	(void)context, (void)run, (void)i;
}

static void
ignore_remark(
    void *context, const struct flow_run *run, size_t i, const char *sentence)
{
	(void)context, (void)run, (void)i, (void)sentence;
}

static void
ignore_tick(void *context, const struct flow_run *run)
{
	(void)context, (void)run;
}

struct engine_listener
engine_nobody(void)
{
	return (struct engine_listener){
	    NULL, ignore_node, ignore_node, ignore_remark, ignore_tick, -1};
}

/* ---- the order of all ---- */

/* Have all that node I waits for ended as they should? */
static bool
is_ready(const struct flow_run *run, size_t i)
{
	const struct parents *parents = &run->bundle->graph.parents[i];

	for (size_t k = 0; k < parents->n; k++)
		switch (run->nodes[parents->at[k].from].outcome) {
		case OUTCOME_REUSED:
		case OUTCOME_DONE:
		case OUTCOME_STALE:
			break;
		case OUTCOME_WAITING:
		case OUTCOME_WORKING:
		case OUTCOME_FAILED:
		case OUTCOME_BLOCKED:
			return false;
		}
	return run->nodes[i].outcome == OUTCOME_WAITING && !run->skipped[i];
}

/* Begin what can be begun; false if some wait for another process. */
static bool
begin_all(struct flow_run *run)
{
	const struct engine_options *options = &run->engine->options;
	bool all = true;

	for (size_t k = 0; k < run->bundle->graph.n; k++) {
		size_t i = run->bundle->graph.order[k];

		if (run->failed || run->working >= options->jobs)
			break;
		if (is_ready(run, i) && !node_begin(run, i))
			all = false;
	}
	return all;
}

/* Wait until one of the commands has ended, or it is time to ask again. */
static void
wait_for_one(struct flow_run *run, int timeout_ms)
{
	struct engine_listener *listener = &run->engine->listener;
	size_t n = run->bundle->graph.n, working = 0;
	struct exec_child **children = arena_array(run->engine->work->arena,
	    run->working, sizeof(struct exec_child *));
	const struct exec_child *ended;

	for (size_t i = 0; i < n; i++)
		if (run->nodes[i].outcome == OUTCOME_WORKING)
			children[working++] = run->nodes[i].job->child;
	state_rest(run->engine->work->state);
	ended = exec_wait(children, working, timeout_ms);
	for (size_t i = 0; i < n && ended != NULL; i++)
		if (run->nodes[i].outcome == OUTCOME_WORKING &&
		    run->nodes[i].job->child == ended) {
			node_finish(run, i);
			return;
		}
	listener->tick(listener->context, run);
}

static void
run_nodes(struct flow_run *run)
{
	int tick = run->engine->listener.tick_ms;
	uint64_t saved = node_clock_us();
	bool all;

	for (;;) {
		all = begin_all(run);
		if (run->working == 0)
			break;
		wait_for_one(run, all ? tick : RETRY_MS);
		if (node_clock_us() - saved > SAVE_MS * 1000) {
			(void)session_save(&run->session, clock_now());
			(void)state_flush(run->engine->work->state);
			saved = node_clock_us();
		}
	}
}

/* Whose value or stamp does somebody look at? */
static void
find_wanted(struct flow_run *run)
{
	const struct graph *graph = &run->bundle->graph;
	bool all = run->engine->want_all_values || run->outer != NULL;

	for (size_t i = 0; i < graph->n; i++) {
		const struct parents *parents = &graph->parents[i];
		bool stage = node_is_stage(&run->bundle->workflow.nodes[i]);

		run->wanted[i] = run->wanted[i] || all || i + 1 == graph->n;
		for (size_t k = 0; k < parents->n; k++)
			if (!stage || (parents->at[k].why & EDGE_VALUE) != 0)
				run->wanted[parents->at[k].from] = true;
	}
}

struct flow_run *
engine_begin(struct engine *engine, const struct bundle *bundle,
    const struct given_input *given, size_t ngiven, const char **why)
{
	struct arena *arena = engine->work->arena;
	struct flow_run *run = arena_array(arena, 1, sizeof(*run));
	size_t n = bundle->workflow.nnodes;

	run->engine = engine;
	run->bundle = bundle;
	*why =
	    inputs_set(arena, &bundle->workflow, given, ngiven, &run->inputs);
	if (*why != NULL)
		return NULL;
	run->nodes = arena_array(arena, n, sizeof(*run->nodes));
	run->values = arena_array(arena, n, sizeof(*run->values));
	run->wanted = arena_array(arena, n, sizeof(*run->wanted));
	run->skipped = arena_array(arena, n, sizeof(*run->skipped));
	run->session = session_load(engine->work->store, &bundle->source);
	return run;
}

void
engine_go(struct flow_run *run)
{
	find_wanted(run);
	run_nodes(run);
	if (run->engine->options.mode == ENGINE_LOOK)
		return;
	if (!session_save(&run->session, clock_now()))
		run->engine->listener.remark(run->engine->listener.context, run,
		    run->bundle->graph.n,
		    "what was done could not be noted; it will be done again "
		    "next time.");
	(void)state_flush(run->engine->work->state);
}

/* Does a session of BUNDLE, or of one inside, know the run ID? */
static bool
knows_run(struct store *store, const struct bundle *bundle, struct span id)
{
	struct session session = session_load(store, &bundle->source);

	for (size_t i = 0; i < session.n; i++)
		if (span_eq(session.nodes[i].run, id))
			return true;
	for (size_t i = 0; i < bundle->graph.n; i++)
		if (bundle->inner[i] != NULL &&
		    knows_run(store, bundle->inner[i], id))
			return true;
	return false;
}

struct flow_run *
engine_run(struct engine *engine, const struct bundle *bundle,
    const struct given_input *given, size_t ngiven, const char **why)
{
	struct flow_run *run = engine_begin(engine, bundle, given, ngiven, why);

	if (run == NULL)
		return NULL;
	if (engine->options.resume.n > 0 &&
	    !knows_run(engine->work->store, bundle, engine->options.resume)) {
		*why =
		    "--resume: nothing is known of that run; a later run has "
		    "taken its place, or it was cleared.";
		return NULL;
	}
	if (engine->options.only.n > 0) {
		*why = only_prepare(run);
		if (*why != NULL)
			return NULL;
	}
	engine_go(run);
	return run;
}
