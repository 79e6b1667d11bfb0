#include "work/workflow/judge.h"

#include "base/map.h"
#include "work/record/clock.h"

/* ---- what it depends on ---- */

struct resolver
judge_resolver(struct flow_run *run, size_t i)
{
	return (struct resolver){
	    .arena = run->engine->work->arena,
	    .root = run->engine->work->root,
	    .called =
		work_called(run->engine->work, run->engine->work->root),
	    .store = run->engine->work->store,
	    .bundle = run->bundle,
	    .inputs = &run->inputs,
	    .values = run->values,
	    .node = &run->bundle->workflow.nodes[i],
	    .whole = &run->engine->whole,
	    .agent = run->engine->options.agent,
	    .params = SPAN(""),
	    .item = SPAN(""),
	};
}

/* How old a result of NODE in its session may be; 0: any age. */
static uint64_t
max_age(const struct flow_run *run, const struct node *node)
{
	return node->has_ttl ? node->ttl_ms : run->engine->options.ttl_ms;
}

struct digest
judge_stamp(const struct node *node, const struct value *value, struct span key,
    uint64_t created_ms, struct span run_id)
{
	struct key stamp;

	key_begin(&stamp, "flow-stamp", 1);
	/* A gate that gives the same answer again has changed nothing. */
	if (node->cutoff || node_decides(node)) {
		key_add_number(&stamp, "exit", (uint64_t)value->exit);
		key_add(&stamp, "stdout", value->out);
		key_add(&stamp, "stderr", value->err);
		key_add(&stamp, "json", value->json);
		return key_end(&stamp);
	}
	key_add(&stamp, "record", key);
	key_add_number(&stamp, "created", created_ms);
	key_add(&stamp, "run", run_id);
	return key_end(&stamp);
}

struct digest
judge_passed(const struct upstream *above, size_t n)
{
	struct key stamp;

	key_begin(&stamp, "flow-passed", 1);
	for (size_t i = 0; i < n; i++) {
		key_add(&stamp, "above", above[i].id);
		key_add_digest(&stamp, "stamp", &above[i].stamp);
	}
	return key_end(&stamp);
}

bool
judge_stamp_for(
    const struct flow_run *run, size_t from, unsigned why, struct digest *stamp)
{
	const struct node_run *it = &run->nodes[from];

	if (node_decides(&run->bundle->workflow.nodes[from]) &&
	    (why & EDGE_VALUE) == 0) {
		*stamp = it->passed;
		return it->is_passed;
	}
	*stamp = it->stamp;
	return it->is_stamped;
}

/*
 * Does a new result of the parent make this node's result stale?  Not if only
 * a file connects them: its content is compared by itself.
 */
static bool
cascades(const struct edge *edge)
{
	return edge->why != EDGE_FILE;
}

/* Note the stamps of the parents, as far as this run knows them. */
static void
note_above(struct flow_run *run, size_t i, struct judgement *j)
{
	const struct parents *parents = &run->bundle->graph.parents[i];
	struct arena *arena = run->engine->work->arena;
	bool known = true;

	j->above = arena_array(arena, parents->n, sizeof(*j->above));
	for (size_t k = 0; k < parents->n; k++) {
		const struct edge *edge = &parents->at[k];
		struct upstream *above = &j->above[j->nabove];

		if (!cascades(edge))
			continue;
		above->id = run->bundle->workflow.nodes[edge->from].id;
		known = judge_stamp_for(
			    run, edge->from, edge->why, &above->stamp) &&
			known;
		j->nabove++;
	}
	run->nodes[i].passed = judge_passed(j->above, j->nabove);
	run->nodes[i].is_passed = known;
}

/* ---- keys ---- */

static void
set_session_key(
    struct flow_run *run, const struct node *node, struct judgement *j)
{
	struct key key;

	key_begin(&key, "flow-node", 1);
	key_add(&key, "path", run->bundle->source.path);
	key_add(&key, "id", node->id);
	key_add_digest(&key, "config", &j->parts.config);
	for (size_t k = 0; k < j->nabove; k++) {
		key_add(&key, "above", j->above[k].id);
		key_add_digest(&key, "stamp", &j->above[k].stamp);
	}
	j->key = key_end(&key);
}

static void
add_words(struct key *key, const char *name, const struct span *words, size_t n)
{
	key_add_number(key, name, n);
	for (size_t i = 0; i < n; i++)
		key_add(key, "word", words[i]);
}

/* Add the items of a batch, and the values its texts refer to. */
static bool
add_batch(struct key *key, struct resolver *r, const struct references *found)
{
	struct span *items;
	size_t n;

	if (!resolve_items(r, &items, &n))
		return false;
	add_words(key, "items", items, n);
	for (size_t i = 0; i < found->n; i++) {
		size_t from = graph_find(&r->bundle->graph, found->at[i].base);

		if (from == r->bundle->graph.n)
			continue;
		key_add(key, "value", r->values[from].out);
		key_add(key, "errors", r->values[from].err);
	}
	return true;
}

static bool
add_resolved(struct key *key, struct resolver *r)
{
	struct span params, input, *words;
	size_t n;

	if (!resolve_params(r, &params) || !resolve_stdin(r, &input))
		return false;
	key_add(key, "params", params);
	if (r->node->has_stdin)
		key_add(key, "stdin", input);
	if (r->node->run.n == 0 || r->node->type == NODE_FLOW)
		return true;
	if (!resolve_command(r, &words, &n))
		return false;
	add_words(key, "command", words, n);
	return true;
}

/*
 * Make the key of a result for any run of any workflow: everything that goes
 * into the work, resolved.  False if it cannot be known; j->why says why.
 */
static bool
set_shared_key(struct flow_run *run, size_t i, struct judgement *j)
{
	struct resolver r = judge_resolver(run, i);
	struct key key;
	bool told;

	key_begin(&key, "flow-shared", 2);
	key_add(&key, "flow", run->bundle->workflow.name);
	key_add(&key, "id", r.node->id);
	key_add_digest(&key, "config", &j->parts.config);
	told = r.node->batch.n > 0
		   ? add_batch(&key, &r, &run->bundle->graph.references[i])
		   : add_resolved(&key, &r);
	if (told)
		j->key = key_end(&key);
	else
		j->why = r.why;
	return told;
}

/* ---- the session ---- */

static bool
is_in(const struct names *names, struct span id)
{
	for (size_t i = 0; i < names->n; i++)
		if (span_eq(names->at[i], id))
			return true;
	return false;
}

/*
 * The note about the parent ID, the Kth of those that count now.  Most often
 * it was the Kth before; else NAMES is made, so that many parents in another
 * order are found at once.
 */
static const struct upstream *
find_above(struct arena *arena, const struct session_node *known,
    struct span id, size_t k, struct map **names)
{
	const uint64_t *at;

	if (k < known->nabove && span_eq(known->above[k].id, id))
		return &known->above[k];
	if (*names == NULL) {
		*names = map_new(arena, known->nabove);
		for (size_t i = 0; i < known->nabove; i++)
			(void)map_at(*names, known->above[i].id, i);
	}
	at = map_find(*names, id);
	return at != NULL ? &known->above[*at] : NULL;
}

/* Are the parents the same, with the same results?  If not, add the reasons. */
static void
compare_above(struct flow_run *run, size_t i, const struct session_node *known,
    struct judgement *j)
{
	const struct parents *parents = &run->bundle->graph.parents[i];
	struct arena *arena = run->engine->work->arena;
	bool moved = known->nabove != j->nabove;
	struct map *names = NULL;
	size_t n = 0;

	for (size_t k = 0; k < parents->n; k++) {
		const struct edge *edge = &parents->at[k];
		struct span id = run->bundle->workflow.nodes[edge->from].id;
		const struct upstream *then;
		struct digest now;

		if (!cascades(edge))
			continue;
		then = find_above(arena, known, id, n++, &names);
		if (then == NULL)
			moved = true;
		else if (!judge_stamp_for(run, edge->from, edge->why, &now) ||
			 !digest_eq(&then->stamp, &now))
			verdict_add(arena, &j->verdict, REASON_UPSTREAM, id,
			    VERDICT_UNKNOWN, VERDICT_UNKNOWN);
	}
	if (moved)
		verdict_because(arena, &j->verdict, REASON_STRUCTURE);
}

static enum record_use
use_of(const struct flow_run *run)
{
	return run->engine->options.mode == ENGINE_LOOK ? RECORD_LOOK
							: RECORD_USE;
}

/* Add reasons for what is different about the node itself. */
static void
compare_config(
    struct flow_run *run, const struct session_node *known, struct judgement *j)
{
	struct engine *engine = run->engine;
	struct record old;
	enum record_got got;

	if (digest_eq(&known->config, &j->parts.config))
		return;
	got = record_load(
	    &engine->work->records, known->key, 0, RECORD_LOOK, &old);
	if ((got == RECORD_HIT || got == RECORD_EXPIRED) &&
	    old.inputs.p != NULL)
		parts_compare(&j->parts, old.inputs, &j->verdict);
	if (j->verdict.first == NULL)
		verdict_because(
		    engine->work->arena, &j->verdict, REASON_CONFIG);
}

void
judge_expect(struct flow_run *run, size_t i, const struct judgement *judged)
{
	const struct session_node *known =
	    session_find(&run->session, run->bundle->workflow.nodes[i].id);
	struct judgement asked = *judged;

	asked.verdict = (struct verdict){.first = NULL};
	if (known == NULL || known->ending != ENDED_WELL)
		return;
	compare_config(run, known, &asked);
	compare_above(run, i, known, &asked);
	if (asked.verdict.first != NULL)
		return;
	run->nodes[i].stamp = known->stamp;
	run->nodes[i].is_stamped = true;
}

/* Take the result that is kept under KEY, if it can be used. */
static enum record_got
take_record(struct flow_run *run, const struct node *node, struct span key,
    uint64_t max_age, struct judgement *j, struct record *record)
{
	enum record_got got = record_load(
	    &run->engine->work->records, key, max_age, use_of(run), record);

	if (got != RECORD_HIT)
		return got;
	verdict_reuse(&j->verdict, j->verdict.tier, record->life.created_ms);
	j->created_ms = record->life.created_ms;
	j->value = (struct value){
	    .known = true,
	    .exit = (int)record->exit,
	    .out = record->value,
	    .err = record->errors.p != NULL ? record->errors : SPAN(""),
	    .json = record->json.p != NULL ? record->json : SPAN(""),
	};
	j->stamp = judge_stamp(node, &j->value, key, j->created_ms,
	    record->run_id.p != NULL ? record->run_id : SPAN(""));
	return got;
}

/* Why the session cannot give a result of NODE; REASON_SAME if it can. */
static enum reason
session_silent(const struct flow_run *run, const struct node *node,
    const struct session_node *known)
{
	const struct engine_options *options = &run->engine->options;

	if (known != NULL && options->resume.n > 0 &&
	    span_eq(known->run, options->resume))
		return known->ending == ENDED_WELL ? REASON_SAME
						   : REASON_NOT_DONE;
	if (node_decides(node))
		return REASON_TYPE;
	if (run->bundle->source.saved || options->no_session)
		return REASON_NO_SESSION;
	if (known == NULL)
		return REASON_FIRST;
	return known->ending == ENDED_WELL ? REASON_SAME : REASON_NOT_DONE;
}

static void
ask_session(struct flow_run *run, size_t i, struct judgement *j)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	struct arena *arena = run->engine->work->arena;
	const struct session_node *known =
	    session_find(&run->session, node->id);
	enum reason silent = session_silent(run, node, known);
	struct record record;
	enum record_got got;

	if (silent != REASON_SAME) {
		verdict_add(arena, &j->verdict, silent,
		    silent == REASON_TYPE ? span_str(node_type_name(node->type))
					  : SPAN(""),
		    VERDICT_UNKNOWN, VERDICT_UNKNOWN);
		return;
	}
	compare_config(run, known, j);
	compare_above(run, i, known, j);
	if (j->verdict.first != NULL)
		return;
	got = take_record(
	    run, node, known->key, max_age(run, node), j, &record);
	if (got == RECORD_HIT) {
		j->verdict.tier = TIER_RUN;
		j->stamp = known->stamp;
	} else {
		verdict_because(arena, &j->verdict, record_reason(got));
	}
}

/* ---- other runs ---- */

bool
judge_knows_values(const struct flow_run *run, size_t i)
{
	const struct parents *parents = &run->bundle->graph.parents[i];

	for (size_t k = 0; k < parents->n; k++)
		if ((parents->at[k].why & EDGE_VALUE) != 0 &&
		    !run->values[parents->at[k].from].known)
			return false;
	return true;
}

static void
ask_others(struct flow_run *run, size_t i, struct judgement *j)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	struct verdict before = j->verdict;
	char hex[DIGEST_HEX + 1];
	struct record record;

	if (!judge_knows_values(run, i) || !set_shared_key(run, i, j))
		return;
	digest_hex(&j->key, hex);
	j->verdict = (struct verdict){.tier = TIER_CROSS_RUN};
	if (take_record(run, node,
		span_str(arena_cstr(
		    run->engine->work->arena, (struct span){hex, DIGEST_HEX})),
		node->ttl_ms, j, &record) != RECORD_HIT)
		j->verdict = before;
}

/* ---- all of it ---- */

bool
judge_is_forced(const struct flow_run *run, const struct node *node)
{
	const struct engine_options *options = &run->engine->options;

	return options->no_cache || is_in(&options->rerun, node->id) ||
	       (run->outer == NULL && span_eq(options->only, node->id));
}

struct judgement
judge_node(struct flow_run *run, size_t i)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	struct arena *arena = run->engine->work->arena;
	struct resolver r = judge_resolver(run, i);
	struct judgement j = {.keep = node->scope != NODE_OFF};
	bool shared =
	    node->scope == NODE_CROSS_RUN && check_sharing(node) == NULL;

	if (!parts_collect(&r, &run->engine->work->hasher,
		run->bundle->inner[i], &j.parts)) {
		j.why = j.parts.why;
		return j;
	}
	note_above(run, i, &j);
	if (j.parts.unresolved.spec.n > 0) {
		verdict_add(arena, &j.verdict, REASON_UNRESOLVABLE,
		    j.parts.unresolved.spec, VERDICT_UNKNOWN,
		    j.parts.unresolved.why);
		j.keep = false;
		return j;
	}
	set_session_key(run, node, &j);
	if (node->scope == NODE_OFF) {
		verdict_because(arena, &j.verdict, REASON_SCOPE_OFF);
		return j;
	}
	if (judge_is_forced(run, node)) {
		verdict_because(arena, &j.verdict, REASON_FORCED);
		if (shared && judge_knows_values(run, i))
			(void)set_shared_key(run, i, &j);
		return j;
	}
	ask_session(run, i, &j);
	if (shared && j.verdict.decision != DECISION_REUSE)
		ask_others(run, i, &j);
	return j;
}
