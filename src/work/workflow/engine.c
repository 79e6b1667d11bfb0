#include "work/workflow/engine.h"

#include <stdio.h>
#include <time.h>

#include "os/random.h"
#include "work/workflow/inner.h"
#include "work/workflow/job.h"
#include "work/workflow/node.h"
#include "work/workflow/only.h"
#include "work/workflow/turns.h"

#define RETRY_MS 50 /* after this, ask again for a lock */
#define SAVE_MS 500 /* how often the ends of nodes are saved */
#define SYNC_SHARE 10 /* at most one part in this many is for syncing */

struct span
engine_run_id(struct arena *arena)
{
	char text[sizeof("20261117-030405-") + 8];
	time_t now = time(NULL);
	uint32_t chance = 0;
	struct tm tm;

	/* Without randomness the time still tells runs apart. */
	(void)random_fill(&chance, sizeof(chance));
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

/* A run, and the state of its loop. */
struct loop {
	struct flow_run *run;
	struct turns *turns;
	size_t *busy; /* nodes that another process works on */
	size_t nbusy;
	struct exec_child **children;
};

static bool
has_passed(const struct flow_run *run, size_t i)
{
	switch (run->nodes[i].outcome) {
	case OUTCOME_REUSED:
	case OUTCOME_DONE:
	case OUTCOME_STALE:
		return true;
	case OUTCOME_WAITING:
	case OUTCOME_WORKING:
	case OUTCOME_FAILED:
	case OUTCOME_BLOCKED:
		break;
	}
	return false;
}

static struct loop
loop_of(struct flow_run *run)
{
	const struct graph *graph = &run->bundle->graph;
	struct arena *arena = run->engine->work->arena;
	struct loop loop = {
	    .run = run,
	    .turns = turns_of(graph, run->skipped),
	    .busy = arena_array(arena, graph->n, sizeof(size_t)),
	    .children = arena_array(arena, run->engine->options.jobs,
		sizeof(struct exec_child *)),
	};

	/* With --only: nodes whose results are in the session. */
	for (size_t i = 0; i < graph->n; i++)
		if (has_passed(run, i))
			turns_passed(loop.turns, i);
	return loop;
}

/* Begin all nodes that can begin.  False if some wait for another process. */
static bool
begin_all(struct loop *loop)
{
	struct flow_run *run = loop->run;
	size_t i;

	/*
	 * After a signal nothing more is begun; what is left counts as failed.
	 */
	if (exec_interrupted() != 0 && turns_any(loop->turns))
		run->failed = true;
	while (!run->failed && run->working < run->engine->options.jobs &&
	       turns_take(loop->turns, &i)) {
		if (!node_begin(run, i))
			loop->busy[loop->nbusy++] = i;
		else if (has_passed(run, i))
			turns_passed(loop->turns, i);
	}
	if (loop->nbusy == 0)
		return true;
	while (loop->nbusy > 0)
		turns_put_back(loop->turns, loop->busy[--loop->nbusy]);
	return false;
}

/* Wait until a command has ended, or until it is time to ask again. */
static void
wait_for_one(struct loop *loop, int timeout_ms)
{
	struct flow_run *run = loop->run;
	struct engine_listener *listener = &run->engine->listener;
	const struct exec_child *ended;

	for (size_t k = 0; k < run->working; k++)
		loop->children[k] = run->nodes[run->at_work[k]].job->child;
	state_rest(run->engine->work->state);
	ended = exec_wait(loop->children, run->working, timeout_ms);
	for (size_t k = 0; k < run->working && ended != NULL; k++) {
		size_t i = run->at_work[k];

		if (run->nodes[i].job->child != ended)
			continue;
		node_finish(run, i);
		if (has_passed(run, i))
			turns_passed(loop->turns, i);
		return;
	}
	listener->tick(listener->context, run);
}

/* When results were last saved, in microseconds. */
struct savings {
	uint64_t jotted;
	uint64_t flush_after; /* do not flush the state before */
};

/*
 * Save the session from time to time, and flush the state more seldom.  A
 * flush waits for the disk, perhaps for long if others write much.  The state
 * only saves looking at files again, so it may be written later.
 */
static void
save_now_and_then(struct flow_run *run, struct savings *savings)
{
	uint64_t now = node_clock_us(), took;

	if (now - savings->jotted <= SAVE_MS * 1000)
		return;
	(void)session_jot(&run->session);
	savings->jotted = node_clock_us();
	if (savings->jotted < savings->flush_after)
		return;
	(void)state_flush(run->engine->work->state);
	took = node_clock_us() - savings->jotted;
	savings->jotted += took;
	savings->flush_after = savings->jotted + took * (SYNC_SHARE - 1);
}

static void
run_nodes(struct flow_run *run)
{
	int tick = run->engine->listener.tick_ms;
	struct loop loop = loop_of(run);
	struct savings savings = {.jotted = node_clock_us()};
	bool all;

	for (;;) {
		all = begin_all(&loop);
		if (run->working == 0)
			break;
		wait_for_one(&loop, all ? tick : RETRY_MS);
		save_now_and_then(run, &savings);
	}
}

/* Find the nodes whose value or stamp is used by another node or printed. */
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
			if ((!stage && parents->at[k].why != EDGE_FILE) ||
			    (parents->at[k].why & EDGE_VALUE) != 0)
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
	run->at_work =
	    arena_array(arena, engine->options.jobs, sizeof(*run->at_work));
	run->session = session_load(engine->work->store, &bundle->source);
	return run;
}

static void
remark(struct flow_run *run, const char *sentence)
{
	run->engine->listener.remark(run->engine->listener.context, run,
	    run->bundle->graph.n, sentence);
}

/* Only the first of many such results had a remark of its own. */
static void
tell_unkept(struct flow_run *run, size_t n)
{
	struct buf sentence = buf_new(run->engine->work->arena, 96);

	buf_u64(&sentence, n);
	buf_str(&sentence,
	    " results could not be kept; they will be made again next time.");
	remark(run,
	    arena_cstr(run->engine->work->arena, buf_span(&sentence)));
}

void
engine_go(struct flow_run *run)
{
	struct work *work = run->engine->work;
	size_t before = work->nunkept;

	work->sync = KEEP_LATER;
	work->tells_first = true;
	find_wanted(run);
	run_nodes(run);
	if (run->engine->options.mode == ENGINE_LOOK)
		return;
	if (work->nunkept - before > 1 && run->outer == NULL)
		tell_unkept(run, work->nunkept - before);
	if (!session_save(&run->session, clock_now()) && work->nunkept == 0)
		remark(run, "what was done could not be noted; it will be done "
			    "again next time.");
	(void)state_flush(run->engine->work->state);
}

/*
 * Does a session of BUNDLE, or of an inner workflow, have nodes of the run ID?
 */
static bool
knows_run(struct store *store, const struct bundle *bundle, struct span id)
{
	struct flow_session session = session_load(store, &bundle->source);

	for (size_t i = 0; i < session.n; i++)
		if (span_eq(session.nodes[i].run, id))
			return true;
	for (size_t i = 0; i < bundle->graph.n; i++)
		if (bundle->inner[i] != NULL &&
		    knows_run(store, bundle->inner[i], id))
			return true;
	return false;
}

static void
add_texts(struct key *key, const struct bundle *bundle)
{
	key_add_digest(key, "text", &bundle->source.hash);
	for (size_t i = 0; i < bundle->graph.n; i++)
		if (bundle->inner[i] != NULL)
			add_texts(key, bundle->inner[i]);
}

/* A digest of all that an approval is for. */
static struct digest
whole_of(const struct flow_run *run)
{
	const struct workflow *workflow = &run->bundle->workflow;
	struct key key;

	key_begin(&key, "flow-whole", 1);
	add_texts(&key, run->bundle);
	for (size_t i = 0; i < workflow->ninputs; i++)
		key_add(&key, "input", run->inputs.values[i]);
	return key_end(&key);
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
	engine->creator = record_creator(engine->work->arena);
	engine->whole = whole_of(run);
	engine_go(run);
	return run;
}
