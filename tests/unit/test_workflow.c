/*
 * Workflow files: what they may say, and what is told about the rest.
 */
#include "unit.h"
#include "work/workflow/check.h"
#include "work/workflow/parse.h"

/* Parse and check TEXT; what is wrong with it, a line each. */
static struct span
faults_in(struct arena *arena, struct span text)
{
	struct flow_faults faults = {.arena = arena};
	struct buf out = buf_new(arena, 256);
	struct workflow workflow;
	struct graph graph;

	parse_workflow(arena, SPAN("f"), text, &workflow, &faults);
	if (faults.n == 0) {
		graph = graph_of(arena, SPAN("/nowhere"), &workflow, NULL);
		check_workflow(&workflow, &graph, SPAN("f"), &faults);
	}
	for (const struct flow_fault *m = faults.first; m != NULL; m = m->next)
		flow_fault_write(&out, m);
	return buf_span(&out);
}

/* A workflow with these NODES. */
static struct span
with_nodes(struct arena *arena, const char *nodes)
{
	struct buf text = buf_new(arena, 256);

	buf_str(&text, "{\"inputs\":{\"topic\":null},\"nodes\":[");
	buf_str(&text, nodes);
	buf_str(&text, "]}");
	return buf_span(&text);
}

static struct workflow
parsed(struct arena *arena, struct span text)
{
	struct flow_faults faults = {.arena = arena};
	struct workflow workflow;

	parse_workflow(arena, SPAN("f"), text, &workflow, &faults);
	CHECK(faults.n == 0, "%.*s", (int)faults.first->sentence.n,
	    faults.first->sentence.p);
	return workflow;
}

static void
reading_a_node(struct arena *arena)
{
	struct workflow workflow = parsed(arena,
	    with_nodes(arena,
		"{\"id\":\"a\",\"type\":\"agent\",\"run\":[\"x\",\"y\"],"
		"\"params\":{\"p\":1},\"needs\":[],\"deps\":\"in\","
		"\"code\":[\"c.py\"],\"outs\":[\"o\",{\"path\":\"q\","
		"\"cache\":false}],\"env\":[\"LANG\"],\"effects\":true,"
		"\"cutoff\":true,\"purpose\":\"to see\",\"cache\":{"
		"\"scope\":\"off\",\"ttl\":\"6h\",\"fingerprint\":"
		"[\"git:HEAD\"]}}"));
	const struct node *node = &workflow.nodes[0];

	assert_int_equal(workflow.nnodes, 1);
	ASSERT_TEXT(node->id, "a");
	assert_int_equal(node->type, NODE_AGENT);
	assert_true(node->run_is_words);
	assert_int_equal(node->run.n, 2);
	ASSERT_TEXT(node->params, "{\"p\":1}");
	assert_true(node->has_needs);
	assert_int_equal(node->needs.n, 0);
	ASSERT_TEXT(node->deps.at[0], "in");
	ASSERT_TEXT(node->code.at[0], "c.py");
	assert_int_equal(node->nouts, 2);
	assert_true(node->outs[0].kept);
	ASSERT_TEXT(node->outs[1].path, "q");
	assert_false(node->outs[1].kept);
	ASSERT_TEXT(node->env.at[0], "LANG");
	assert_true(node->effects);
	assert_true(node->cutoff);
	assert_int_equal(node->scope, NODE_OFF);
	ASSERT_TEXT(node->ttl, "6h");
	ASSERT_TEXT(node->fingerprint.at[0], "git:HEAD");
}

static void
what_is_not_said(struct arena *arena)
{
	struct workflow workflow = parsed(arena,
	    SPAN("{\"nodes\":[{\"id\":\"a\",\"run\":\"true\"}]}"));
	const struct node *node = &workflow.nodes[0];

	assert_int_equal(node->type, NODE_SHELL);
	assert_int_equal(node->scope, NODE_RUN_ONLY);
	assert_false(node->run_is_words);
	assert_false(node->has_needs);
	assert_false(node_is_stage(node));
	assert_int_equal(workflow.name.n, 0);
}

static void
reading_inputs(struct arena *arena)
{
	struct workflow workflow = parsed(arena,
	    SPAN("{\"inputs\":{\"a\":null,\"b\":\"x\",\"c\":{\"default\":1.50,"
		 "\"purpose\":\"p\"},\"d\":{}},"
		 "\"nodes\":[{\"id\":\"n\",\"run\":\"true\"}]}"));

	assert_int_equal(workflow.ninputs, 4);
	assert_false(workflow.inputs[0].has_value);
	ASSERT_TEXT(workflow.inputs[1].value, "x");
	ASSERT_TEXT(workflow.inputs[2].value, "1.50");
	assert_false(workflow.inputs[3].has_value);
}

/* What the file as a whole must be. */
static void
files_that_are_none(struct arena *arena)
{
	static const struct {
		const char *text, *told;
	} rows[] = {
	    {"", "f: it is not valid JSON.\n"},
	    {"[]", "f: it is not a JSON object with \"nodes\" in it.\n"},
	    {"{}", "f:1: \"nodes\" must be an array with at least one "
		   "node.\n"},
	    {"{\"nodes\":[1]}", "f:1: a node must be an object.\n"},
	    {"{\"node\":[],\"nodes\":[{\"id\":\"a\",\"run\":\"x\"}]}",
		"f:1: \"node\" is nothing that a workflow can have. Did you "
		"mean \"nodes\"?\n"},
	    {"{\"name\":1,\"nodes\":[{\"id\":\"a\",\"run\":\"x\"}]}",
		"f:1: \"name\" must be a string (without NUL).\n"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		ASSERT_TEXT(
		    faults_in(arena, span_str(rows[i].text)), rows[i].told);
}

/* Each is told with the node's id. */
static void
nodes_that_are_wrong(struct arena *arena)
{
	static const struct {
		const char *nodes, *told;
	} rows[] = {
	    {"{\"run\":\"x\"}", "f:1: a node needs an \"id\".\n"},
	    {"{\"id\":\"a b\",\"run\":\"x\"}",
		"f:1: \"a b\" is not an id: letters, digits, _, - and @ only, at "
		"most 100 of them.\n"},
	    {"{\"id\":\"inputs\",\"run\":\"x\"}",
		"f:1: a node cannot be called \"inputs\": ${...} would have "
		"two meanings.\n"},
	    {"{\"rum\":\"x\",\"run\":\"x\",\"id\":\"a\"}",
		"f:1: node 'a': \"rum\" is nothing that a node can have. Did "
		"you mean \"run\"?\n"},
	    {"{\"id\":\"a\",\"run\":\"x\",\"zzzzzz\":1}",
		"f:1: node 'a': \"zzzzzz\" is nothing that a node can "
		"have.\n"},
	    {"{\"id\":\"a\",\"run\":\"x\",\"run\":\"y\"}",
		"f:1: node 'a': \"run\" is there twice.\n"},
	    {"{\"id\":\"a\",\"type\":\"shel\",\"run\":\"x\"}",
		"f:1: node 'a': \"shel\" is no type. Did you mean "
		"\"shell\"?\n"},
	    {"{\"id\":\"a\",\"run\":7}",
		"f:1: node 'a': \"run\" must be a string or an array of "
		"strings.\n"},
	    {"{\"id\":\"a\",\"run\":[\"x\",7]}",
		"f:1: node 'a': \"run\" must hold strings only (without "
		"NUL).\n"},
	    {"{\"id\":\"a\",\"run\":\"x\",\"params\":{\"p\":1,\"p\":2}}",
		NULL},
	    {"{\"id\":\"a\",\"run\":\"x\",\"effects\":1}",
		"f:1: node 'a': \"effects\" must be true or false.\n"},
	    {"{\"id\":\"a\",\"run\":\"x\",\"cache\":{\"scope\":\"always\"}}",
		"f:1: node 'a': \"always\" is no scope.\n"},
	    {"{\"id\":\"a\",\"run\":\"x\",\"cache\":{\"scop\":\"off\"}}",
		"f:1: node 'a': \"scop\" is nothing that \"cache\" can have. "
		"Did you mean \"scope\"?\n"},
	    {"{\"id\":\"a\",\"run\":\"x\",\"outs\":[{\"cache\":false}]}",
		"f:1: node 'a': an output is a path, or an object with "
		"\"path\" and \"cache\".\n"},
	    {"{\"id\":\"a\"}",
		"f:1: node 'a': a node of type \"shell\" needs \"run\", a "
		"string for sh or an array of words.\n"},
	    {"{\"id\":\"a\",\"type\":\"approval\",\"run\":\"x\"}",
		"f:1: node 'a': an approval runs nothing; \"run\" is for a "
		"gate.\n"},
	    {"{\"id\":\"a\",\"run\":\"x\"},{\"id\":\"a\",\"run\":\"x\"}",
		"f:1: node 'a': there is another node with this id.\n"},
	    {"{\"id\":\"a\",\"run\":\"x\",\"needs\":\"bb\"},"
	     "{\"id\":\"b\",\"run\":\"x\"}",
		"f:1: node 'a': it needs \"bb\", but there is no such "
		"node.\n"},
	    {"{\"id\":\"a\",\"run\":\"x\",\"outs\":\"o\"},"
	     "{\"id\":\"b\",\"run\":\"x\",\"outs\":\"o\"}",
		"f:1: node 'b': \"o\" is made by \"a\" too.\n"},
	    {"{\"id\":\"a\",\"run\":\"x\",\"batch\":{}}",
		"f:1: node 'a': \"batch\" needs \"items\": an array, or a "
		"reference to one such as \"${list.json}\".\n"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct span told =
		    faults_in(arena, with_nodes(arena, rows[i].nodes));

		if (rows[i].told != NULL)
			ASSERT_TEXT(told, rows[i].told);
		else
			CHECK(span_starts(told, SPAN("f:1: node 'a': "
						     "\"params\": ")),
			    "%.*s", (int)told.n, told.p);
	}
}

/* Results that every run must have for itself. */
static void
what_cannot_be_shared(struct arena *arena)
{
	static const char *const members[] = {
	    "\"type\":\"gate\",\"run\":\"x\"",
	    "\"type\":\"approval\"",
	    "\"run\":\"x\",\"effects\":true",
	};
	static const char *const words[] = {"a gate", "an approval",
	    "\"effects\""};

	for (size_t i = 0; i < COUNT_OF(members); i++) {
		struct buf node = buf_new(arena, 128);
		struct span told;

		buf_str(&node, "{\"id\":\"ask\",");
		buf_str(&node, members[i]);
		buf_str(&node, ",\"cache\":{\"scope\":\"cross-run\"}}");
		told = faults_in(arena,
		    with_nodes(arena, arena_cstr(arena, buf_span(&node))));
		CHECK(memmem(told.p, told.n, "'ask'", 5) != NULL &&
			memmem(told.p, told.n, "cross-run", 9) != NULL &&
			memmem(told.p, told.n, words[i],
			    strlen(words[i])) != NULL,
		    "%.*s", (int)told.n, told.p);
		/* In its own run it may be used again. */
		node.n -= strlen("cross-run\"}}");
		buf_str(&node, "run-only\"}}");
		ASSERT_TEXT(
		    faults_in(arena,
			with_nodes(arena, arena_cstr(arena, buf_span(&node)))),
		    "");
	}
}

static void
references_that_lead_nowhere(struct arena *arena)
{
	static const struct {
		const char *run, *told;
	} rows[] = {
	    {"echo ${inputs.topic} ${first.stdout} ${HOME}", ""},
	    {"${inputs.topc}",
		"${inputs.topc}: the workflow has no input of that name; "
		"declare it in \"inputs\". Did you mean \"topic\"?\n"},
	    {"${frist.stdout}",
		"${frist.stdout}: there is no node \"frist\". Did you mean "
		"\"first\"?\n"},
	    {"${first.stdot}",
		"${first.stdot}: a node has stdout, stderr, exit and json. "
		"Did you mean \"stdout\"?\n"},
	    {"${first.stdout.x}",
		"${first.stdout.x}: there is nothing inside of stdout; read "
		"it as JSON with ${first.json.x}.\n"},
	    {"${last.stdout}",
		"${last.stdout}: \"last\" does not come before this node.\n"},
	    {"${params.p}",
		"${params.p}: the node has no parameter of that name; put it "
		"into \"params\".\n"},
	    {"${batch.item}", "${batch.item}: the node has no \"batch\".\n"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct buf nodes = buf_new(arena, 256);
		struct buf told = buf_new(arena, 256);

		buf_str(&nodes, "{\"id\":\"first\",\"run\":\"x\"},\n"
				"{\"id\":\"n\",\"run\":\"");
		buf_str(&nodes, rows[i].run);
		buf_str(&nodes, "\"},{\"id\":\"last\",\"run\":\"x\"}");
		if (rows[i].told[0] != '\0')
			buf_str(&told, "f:2: node 'n': ");
		buf_str(&told, rows[i].told);
		ASSERT_SPAN(
		    faults_in(arena,
			with_nodes(arena, arena_cstr(arena, buf_span(&nodes)))),
		    buf_span(&told));
	}
}

static void
circles(struct arena *arena)
{
	ASSERT_TEXT(faults_in(arena,
			with_nodes(arena,
			    "{\"id\":\"a\",\"run\":\"x\",\"needs\":\"c\"},"
			    "{\"id\":\"b\",\"run\":\"x\",\"needs\":\"a\"},"
			    "{\"id\":\"c\",\"run\":\"x\",\"needs\":\"b\"}")),
	    "f:1: node 'b': nodes wait for each other in a circle: "
	    "b -> c -> a -> b.\n");
	ASSERT_TEXT(faults_in(arena,
			with_nodes(arena,
			    "{\"id\":\"a\",\"run\":\"x\",\"needs\":\"a\"}")),
	    "f:1: node 'a': nodes wait for each other in a circle: "
	    "a -> a.\n");
	/* By files, in the line of the file's order. */
	ASSERT_TEXT(faults_in(arena,
			with_nodes(arena,
			    "{\"id\":\"a\",\"run\":\"x\",\"deps\":\"o\"},"
			    "{\"id\":\"b\",\"run\":\"x\",\"outs\":\"o\"}")),
	    "f:1: node 'a': it reads what \"b\" makes, but that comes "
	    "later.\n");
}

static void
all_faults_at_once(struct arena *arena)
{
	ASSERT_TEXT(faults_in(arena,
			SPAN("{\n\"nodes\":[\n{\"id\":\"a\",\"rn\":\"x\"},\n"
			     "{\"id\":\"b\",\"run\":1}]}")),
	    "f:3: node 'a': \"rn\" is nothing that a node can have. Did you "
	    "mean \"run\"?\n"
	    "f:4: node 'b': \"run\" must be a string or an array of "
	    "strings.\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(reading_a_node),
	    TEST(what_is_not_said),
	    TEST(reading_inputs),
	    TEST(files_that_are_none),
	    TEST(nodes_that_are_wrong),
	    TEST(what_cannot_be_shared),
	    TEST(references_that_lead_nowhere),
	    TEST(circles),
	    TEST(all_faults_at_once),
	};

	return RUN_TESTS(tests);
}
