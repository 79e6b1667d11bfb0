#include "work/workflow/check.h"

#include "base/map.h"
#include "base/near.h"
#include "work/fingerprint/fingerprint.h"
#include "work/record/clock.h"

struct checker {
	struct arena *arena;
	struct workflow *workflow;
	const struct graph *graph;
	struct span file;
	struct flow_faults *faults;
	struct arena *scratch; /* for one text at a time */
	struct map *inputs;    /* the names of the workflow's inputs */
};

/* ---- telling ---- */

#define TELL(c, node, ...)                                                     \
	flow_fault_add((c)->faults, (c)->file, line_of(c, node), (node)->id,   \
	    __VA_ARGS__, NULL)

/* To count lines takes long, and too many faults are not shown. */
static uint64_t
line_of(const struct checker *c, const struct node *node)
{
	return flow_faults_are_full(c->faults)
		   ? 0
		   : workflow_line(c->workflow, node->source.p);
}

static const char *
text(const struct checker *c, struct span s)
{
	return arena_cstr(c->arena, s);
}

/* " Did you mean \"x\"?", or "". */
static const char *
suggestion(const struct checker *c, struct span name, const struct span *names,
    size_t n)
{
	const struct span *near =
	    flow_faults_are_full(c->faults) ? NULL : near_name(name, names, n);
	struct buf hint;

	if (near == NULL)
		return "";
	hint = buf_new(c->arena, 64);
	buf_str(&hint, " Did you mean \"");
	buf_add(&hint, *near);
	buf_str(&hint, "\"?");
	return text(c, buf_span(&hint));
}

static const char *
suggest_node(const struct checker *c, struct span id)
{
	size_t n = c->workflow->nnodes;
	struct span *ids;

	if (flow_faults_are_full(c->faults))
		return "";
	ids = arena_array(c->arena, n, sizeof(*ids));
	for (size_t i = 0; i < n; i++)
		ids[i] = c->workflow->nodes[i].id;
	return suggestion(c, id, ids, n);
}

/* ---- one node ---- */

const char *
check_sharing(const struct node *node)
{
	if (node->scope != NODE_CROSS_RUN)
		return NULL;
	if (node->type == NODE_GATE)
		return "a gate cannot be cross-run: it must be asked in every "
		       "run. Use \"run-only\" or leave \"scope\" out.";
	if (node->type == NODE_APPROVAL)
		return "an approval cannot be cross-run: a person decides in "
		       "every run. Use \"run-only\" or leave \"scope\" out.";
	if (node->effects)
		return "a node with \"effects\" cannot be cross-run: another "
		       "run would believe they have happened. Use "
		       "\"run-only\" or leave \"scope\" out.";
	return NULL;
}

/* At most one fault: a wrong type, or a text that is not such a reference. */
static void
check_stdin(const struct checker *c, const struct node *node)
{
	struct template_piece reference;

	if (!node->has_stdin)
		return;
	if (node->type != NODE_SHELL && node->type != NODE_GATE)
		TELL(c, node,
		    "\"stdin\" is for nodes of type \"shell\" and \"gate\", "
		    "this one is \"",
		    node_type_name(node->type), "\".",
		    node->type == NODE_AGENT ? " An agent reads its \"params\"."
					     : "");
	else if (!template_is_said(node->input, &reference))
		TELL(c, node,
		    "\"stdin\" must be all that one node said, such as "
		    "\"${fetch.stdout}\" or \"${fetch.stderr}\".");
}

static void
check_type(const struct checker *c, const struct node *node)
{
	const char *type = node_type_name(node->type);
	const char *why = check_sharing(node);

	if (why != NULL)
		TELL(c, node, why);
	if (node->type == NODE_APPROVAL && node->run.n > 0)
		TELL(c, node,
		    "an approval runs nothing; \"run\" is for a "
		    "gate.");
	if (node->run.n == 0 && node->type != NODE_APPROVAL &&
	    node->type != NODE_AGENT)
		TELL(c, node, "a node of type \"", type, "\" needs \"run\", ",
		    node->type == NODE_FLOW
			? "the workflow to run."
			: "a string for sh or an array of words.");
	if (node->type == NODE_FLOW &&
	    (node->run_is_words ||
		template_refers(node->run.n > 0 ? node->run.at[0] : SPAN(""))))
		TELL(c, node,
		    "\"run\" of a node of type \"flow\" must be "
		    "one plain name of a workflow.");
	if (node_is_stage(node) && node->type != NODE_SHELL &&
	    node->type != NODE_AGENT)
		TELL(c, node,
		    "\"deps\", \"code\" and \"outs\" are for nodes of type "
		    "\"shell\" and \"agent\", this one is \"",
		    type, "\".");
	if (node->context.n > 0 && node->type != NODE_AGENT)
		TELL(c, node,
		    "\"context\" is for nodes of type \"agent\", this one is "
		    "\"",
		    type, "\"; use \"deps\", or a fingerprint.");
	check_stdin(c, node);
	if (node->batch.n > 0 && node->type != NODE_SHELL &&
	    node->type != NODE_AGENT)
		TELL(c, node,
		    "\"batch\" is for nodes of type \"shell\" and "
		    "\"agent\", this one is \"",
		    type, "\".");
}

static void
check_cache(const struct checker *c, struct node *node)
{
	const char *why;

	if (node->has_ttl && !duration_parse(node->ttl, &node->ttl_ms))
		TELL(c, node, "the ttl \"", text(c, node->ttl),
		    "\": ", duration_fault);
	for (size_t i = 0; i < node->fingerprint.n; i++) {
		why = fingerprint_fault(node->fingerprint.at[i]);
		if (why != NULL)
			TELL(c, node, "the fingerprint \"",
			    text(c, node->fingerprint.at[i]), "\": ", why);
	}
}

static void
check_batch(const struct checker *c, const struct node *node)
{
	struct json_doc doc = json_doc(c->arena);
	struct json_items members = json_members(&doc, node->batch);
	struct json_field items = {.name = SPAN("items")};
	struct span name, value;
	enum json_kind kind;

	if (node->batch.n == 0)
		return;
	while (json_member(&members, &name, &value))
		if (!span_eq(name, items.name))
			TELL(c, node, "\"", text(c, name),
			    "\" is nothing that \"batch\" can have.",
			    suggestion(c, name, &items.name, 1));
	json_pick(&doc, node->batch, &items, 1);
	kind = json_kind(items.value);
	if (kind != JSON_ARRAY && kind != JSON_STRING)
		TELL(c, node,
		    "\"batch\" needs \"items\": an array, or a "
		    "reference to one such as "
		    "\"${list.json}\".");
	if (node_is_stage(node))
		TELL(c, node,
		    "a batch cannot have \"deps\" or \"outs\"; "
		    "give each item a node of its own.");
}

/* ---- references ---- */

static void
check_input(const struct checker *c, const struct node *node,
    const struct template_piece *reference)
{
	size_t n = flow_faults_are_full(c->faults) ? 0 : c->workflow->ninputs;
	struct span *names;

	if (map_find(c->inputs, reference->field) != NULL)
		return;
	names = arena_array(c->arena, n, sizeof(*names));
	for (size_t i = 0; i < n; i++)
		names[i] = c->workflow->inputs[i].name;
	TELL(c, node, "${", text(c, reference->text),
	    "}: the workflow has no input of that name; declare it in "
	    "\"inputs\".",
	    suggestion(c, reference->field, names, n));
}

/* The names of the params of NODE. */
static struct map *
param_names(const struct checker *c, const struct node *node)
{
	struct json_doc doc = json_doc(c->arena);
	struct json_items members = json_members(&doc, node->params);
	struct map *names = map_new(c->arena, 8);
	struct span name, value;

	while (json_member(&members, &name, &value))
		(void)map_at(names, name, 0);
	return names;
}

/* PARAMS has the names of NODE's params; it is made when it is first needed. */
static void
check_param(const struct checker *c, const struct node *node,
    const struct template_piece *reference, struct map **params)
{
	if (*params == NULL)
		*params = param_names(c, node);
	if (map_find(*params, reference->field) == NULL)
		TELL(c, node, "${", text(c, reference->text),
		    "}: the node has no parameter of that name; put it into "
		    "\"params\".");
}

static void
check_value(const struct checker *c, const struct node *node, size_t index,
    const struct template_piece *reference)
{
	const struct span fields[] = {
	    SPAN("stdout"), SPAN("stderr"), SPAN("exit"), SPAN("json")};
	size_t from = graph_find(c->graph, reference->base), i = 0;

	if (from == c->graph->n) {
		TELL(c, node, "${", text(c, reference->text),
		    "}: there is no node \"", text(c, reference->base), "\".",
		    suggest_node(c, reference->base));
		return;
	}
	while (i < 4 && !span_eq(fields[i], reference->field))
		i++;
	if (i == 4)
		TELL(c, node, "${", text(c, reference->text),
		    "}: a node has stdout, stderr, exit and json.",
		    suggestion(c, reference->field, fields, 4));
	else if (i < 3 && reference->path.n > 0 &&
		 (i == 2 || !span_eq(reference->path, SPAN("file"))))
		TELL(c, node, "${", text(c, reference->text),
		    "}: there is nothing inside of ", text(c, reference->field),
		    "; read it as JSON with ${", text(c, reference->base),
		    ".json.", text(c, reference->path), "}.");
	if (c->graph->is_line && from >= index)
		TELL(c, node, "${", text(c, reference->text), "}: \"",
		    text(c, reference->base),
		    "\" does not come before this node.");
}

/* A parameter cannot refer to parameters, so that there are no circles. */
static void
check_plain(void *context, struct span string)
{
	bool *circular = context;
	struct template t = template_of(string);
	struct template_piece piece;

	while (template_next(&t, &piece))
		*circular =
		    *circular || (piece.kind == PIECE_REFERENCE &&
				     span_eq(piece.base, SPAN("params")));
}

/* In shell text a value must be where the shell expands variables. */
static void
check_shell(const struct checker *c, const struct node *node)
{
	struct template_piece where;
	const char *why;

	if (node->run.n != 1 || node->run_is_words || node->type == NODE_FLOW)
		return;
	arena_reset(c->scratch);
	why = template_shell_fault(c->scratch, node->run.at[0], &where);
	if (why != NULL)
		TELL(c, node, "${", text(c, where.text), "}: ", why);
}

static void
check_references(const struct checker *c, size_t index)
{
	const struct node *node = &c->workflow->nodes[index];
	const struct references *references = &c->graph->references[index];
	struct map *params = NULL;
	bool circular = false;

	check_shell(c, node);
	strings_each(c->arena, node->params, check_plain, &circular);
	if (circular)
		TELL(c, node,
		    "a parameter cannot refer to ${params....}; "
		    "write its value there.");
	for (size_t i = 0; i < references->n; i++) {
		const struct template_piece *reference = &references->at[i];

		if (span_eq(reference->base, SPAN("inputs")))
			check_input(c, node, reference);
		else if (span_eq(reference->base, SPAN("params")))
			check_param(c, node, reference, &params);
		else if (!span_eq(reference->base, SPAN("batch")))
			check_value(c, node, index, reference);
		else if (node->batch.n == 0)
			TELL(c, node, "${", text(c, reference->text),
			    "}: the node has no \"batch\".");
	}
}

/* ---- the nodes among each other ---- */

static void
check_needs(const struct checker *c, const struct node *node)
{
	for (size_t i = 0; i < node->needs.n; i++)
		if (graph_find(c->graph, node->needs.at[i]) == c->graph->n)
			TELL(c, node, "it needs \"", text(c, node->needs.at[i]),
			    "\", but there is no such node.",
			    suggest_node(c, node->needs.at[i]));
}

static void
check_unique(const struct checker *c)
{
	struct map *ids = map_new(c->arena, c->graph->n);

	for (size_t i = 0; i < c->graph->n; i++) {
		const struct node *node = &c->workflow->nodes[i];

		if (node->id.n > 0 && *map_at(ids, node->id, i) != i)
			TELL(c, node, "there is another node with this id.");
	}
}

/* Reported at the later one of the two nodes. */
static void
tell_overlap(
    void *context, const struct made *outer, const struct made *inner)
{
	const struct checker *c = context;
	bool same = span_eq(outer->where.name, inner->where.name);
	bool by_inner = inner->node > outer->node;
	const struct made *here = by_inner ? inner : outer;
	const struct made *there = by_inner ? outer : inner;
	const struct node *node = &c->workflow->nodes[here->node];
	const char *maker = text(c, c->workflow->nodes[there->node].id);

	if (same && span_eq(here->path, there->path))
		TELL(c, node, "\"", text(c, here->path), "\" is made by \"",
		    maker, "\" too.");
	else if (same)
		TELL(c, node, "\"", text(c, here->path), "\" is made by \"",
		    maker, "\" too, as \"", text(c, there->path), "\".");
	else
		TELL(c, node, "\"", text(c, here->path),
		    by_inner ? "\" is in \"" : "\" has \"",
		    text(c, there->path),
		    by_inner ? "\", which \"" : "\" in it, which \"", maker,
		    "\" makes.");
}

/* For nodes in a line: does one read what a later one makes? */
static void
check_line(const struct checker *c, size_t index)
{
	const struct parents *parents = &c->graph->parents[index];
	const struct node *node = &c->workflow->nodes[index];

	for (size_t i = 0; i < parents->n; i++)
		if (parents->at[i].from > index &&
		    (parents->at[i].why & EDGE_FILE) != 0)
			TELL(c, node, "it reads what \"",
			    text(c, c->workflow->nodes[parents->at[i].from].id),
			    "\" makes, but that comes later.");
}

static void
check_cycle(const struct checker *c)
{
	const struct graph *graph = c->graph;
	struct buf path = buf_new(c->arena, 128);

	if (graph->ncycle == 0)
		return;
	for (size_t i = 0; i <= graph->ncycle; i++) {
		size_t node = graph->cycle[i % graph->ncycle];

		buf_str(&path, i > 0 ? " -> " : "");
		buf_add(&path, c->workflow->nodes[node].id);
	}
	TELL(c, &c->workflow->nodes[graph->cycle[0]],
	    "nodes wait for each other in a circle: ", text(c, buf_span(&path)),
	    ".");
}

void
check_workflow(struct workflow *workflow, const struct graph *graph,
    struct span file, struct flow_faults *faults)
{
	struct checker c = {graph->arena, workflow, graph, file, faults,
	    arena_scratch(graph->arena),
	    map_new(graph->arena, workflow->ninputs)};
	size_t before = faults->n;

	for (size_t i = 0; i < workflow->ninputs; i++)
		(void)map_at(c.inputs, workflow->inputs[i].name, i);

	check_unique(&c);
	places_overlaps(graph->outs, tell_overlap, &c);
	for (size_t i = 0; i < graph->n; i++) {
		check_type(&c, &workflow->nodes[i]);
		check_cache(&c, &workflow->nodes[i]);
		check_batch(&c, &workflow->nodes[i]);
		check_needs(&c, &workflow->nodes[i]);
		check_references(&c, i);
		if (graph->is_line)
			check_line(&c, i);
	}
	if (graph->crowded > 0)
		TELL(&c, &workflow->nodes[graph->crowded - 1],
		    "its patterns are too many to compare with the outputs of "
		    "all nodes.");
	/* In a line, a circle was already reported by its cause. */
	if (!graph->is_line || faults->n == before)
		check_cycle(&c);
}
