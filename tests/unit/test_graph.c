/*
 * Which node waits for which.
 */
#include "unit.h"
#include "work/workflow/graph.h"
#include "work/workflow/parse.h"

static struct graph
graph_in(struct arena *arena, const char *nodes)
{
	struct workflow *workflow = arena_array(arena, 1, sizeof(*workflow));
	struct flow_faults faults = {.arena = arena};
	struct buf text = buf_new(arena, 256);

	buf_str(&text, "{\"nodes\":[");
	buf_str(&text, nodes);
	buf_str(&text, "]}");
	parse_workflow(arena, SPAN("f"), buf_span(&text), workflow, &faults);
	assert_int_equal(faults.n, 0);
	return graph_of(arena, SPAN("/nowhere"), workflow, NULL);
}

/* "0>1o 1>2v": every edge, with the letters of why. */
static struct span
edges(const struct graph *graph)
{
	struct buf out = buf_new(graph->arena, 64);

	for (size_t i = 0; i < graph->n; i++)
		for (size_t k = 0; k < graph->parents[i].n; k++) {
			const struct edge *edge = &graph->parents[i].at[k];

			buf_str(&out, out.n > 0 ? " " : "");
			buf_u64(&out, edge->from);
			buf_char(&out, '>');
			buf_u64(&out, i);
			buf_str(&out, edge->why & EDGE_ORDER ? "o" : "");
			buf_str(&out, edge->why & EDGE_VALUE ? "v" : "");
			buf_str(&out, edge->why & EDGE_FILE ? "f" : "");
		}
	return buf_span(&out);
}

static void
edges_of(struct arena *arena)
{
	static const struct {
		const char *what, *nodes, *edges;
	} rows[] = {
	    {"a line",
		"{\"id\":\"a\",\"run\":\"x\"},{\"id\":\"b\",\"run\":\"x\"},"
		"{\"id\":\"c\",\"run\":\"x\"}",
		"0>1o 1>2o"},
	    {"a reference in a line",
		"{\"id\":\"a\",\"run\":\"x\"},{\"id\":\"b\",\"run\":\"x\"},"
		"{\"id\":\"c\",\"run\":\"${a.stdout} ${b.exit}\"}",
		"0>1o 1>2ov 0>2v"},
	    {"one needs makes it a graph",
		"{\"id\":\"a\",\"run\":\"x\"},{\"id\":\"b\",\"run\":\"x\"},"
		"{\"id\":\"c\",\"run\":\"x\",\"needs\":[\"a\"]}",
		"0>2o"},
	    {"references deep in params and batch",
		"{\"id\":\"a\",\"run\":\"x\"},{\"id\":\"b\",\"run\":\"x\"},"
		"{\"id\":\"c\",\"run\":\"x\",\"needs\":[],\"params\":{\"p\":"
		"[{\"q\":\"${a.stdout}\"}]},\"batch\":{\"items\":"
		"\"${b.json}\"}}",
		"0>2v 1>2v"},
	    {"files by their names",
		"{\"id\":\"a\",\"run\":\"x\",\"outs\":[\"./o\"],\"needs\":[]},"
		"{\"id\":\"b\",\"run\":\"x\",\"deps\":[\"o\"]}",
		"0>1f"},
	    {"a file in a directory that another makes",
		"{\"id\":\"a\",\"run\":\"x\",\"outs\":[\"d/\"],\"needs\":[]},"
		"{\"id\":\"b\",\"run\":\"x\",\"code\":[\"d/e/f\"]},"
		"{\"id\":\"c\",\"run\":\"x\",\"deps\":[\"dd\"]}",
		"0>1f"},
	    {"patterns",
		"{\"id\":\"a\",\"run\":\"x\",\"outs\":[\"d/x.o\"],"
		"\"needs\":[]},"
		"{\"id\":\"b\",\"run\":\"x\",\"deps\":[\"d/*.o\"]},"
		"{\"id\":\"c\",\"run\":\"x\",\"deps\":[\"d/*.{o,a}\"]},"
		"{\"id\":\"d\",\"run\":\"x\",\"deps\":[\"d/*.c\"]}",
		"0>1f 0>2f"},
	    {"\"**\" is also no directory at all",
		"{\"id\":\"a\",\"run\":\"x\",\"outs\":[\"x.c\"],"
		"\"needs\":[]},"
		"{\"id\":\"b\",\"run\":\"x\",\"deps\":[\"**/*.c\"]},"
		"{\"id\":\"c\",\"run\":\"x\",\"deps\":[\"**\"]},"
		"{\"id\":\"d\",\"run\":\"x\",\"deps\":[\"*/*.c\"]}",
		"0>1f 0>2f"},
	    {"\"**\" is many directories, but none with a dot",
		"{\"id\":\"a\",\"run\":\"x\",\"outs\":[\"d/e/x.c\"],"
		"\"needs\":[]},"
		"{\"id\":\"b\",\"run\":\"x\",\"outs\":[\"d/.e/x.c\"]},"
		"{\"id\":\"c\",\"run\":\"x\",\"deps\":[\"d/**/x.c\"]},"
		"{\"id\":\"d\",\"run\":\"x\",\"deps\":[\"**/e/**\"]},"
		"{\"id\":\"e\",\"run\":\"x\",\"deps\":[\"d/**/e\"]}",
		"0>2f 0>3f 0>4f"},
	    {"a star stays in its directory, a directory has what is in it",
		"{\"id\":\"a\",\"run\":\"x\",\"outs\":[\"d/e/x.c\"],"
		"\"needs\":[]},"
		"{\"id\":\"b\",\"run\":\"x\",\"deps\":[\"d/*.c\"]},"
		"{\"id\":\"c\",\"run\":\"x\",\"deps\":[\"d/*\"]},"
		"{\"id\":\"d\",\"run\":\"x\",\"deps\":[\"{d/,x}\"]},"
		"{\"id\":\"e\",\"run\":\"x\",\"deps\":[\"{./,x}\"]}",
		"0>2f 0>3f"},
	    {"characters, sets, escapes and braces as a glob reads them",
		"{\"id\":\"a\",\"run\":\"x\",\"outs\":[\"\xc3\xa9\"],"
		"\"needs\":[]},"
		"{\"id\":\"b\",\"run\":\"x\",\"outs\":[\"dd/x*\"]},"
		"{\"id\":\"c\",\"run\":\"x\",\"deps\":[\"?\"]},"
		"{\"id\":\"d\",\"run\":\"x\",\"deps\":"
		"[\"[\xc3\xa0-\xc3\xbf]\"]},"
		"{\"id\":\"e\",\"run\":\"x\","
		"\"cache\":{\"fingerprint\":[\"glob:\\\\dd/x\\\\*\"]}},"
		"{\"id\":\"f\",\"run\":\"x\",\"deps\":[\"{e,dd}/{y,x}?\"]}",
		"0>2f 0>3f 1>4f 1>5f"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct graph graph = graph_in(arena, rows[i].nodes);
		struct span have = edges(&graph);

		CHECK(span_eq(have, span_str(rows[i].edges)), "%s: %.*s",
		    rows[i].what, (int)have.n, have.p);
	}
}

static void
order(struct arena *arena)
{
	struct graph graph = graph_in(arena,
	    "{\"id\":\"a\",\"run\":\"x\",\"needs\":[\"c\"]},"
	    "{\"id\":\"b\",\"run\":\"x\"},"
	    "{\"id\":\"c\",\"run\":\"x\",\"needs\":[\"d\"]},"
	    "{\"id\":\"d\",\"run\":\"x\"}");
	static const size_t expected[] = {3, 2, 0, 1};

	assert_int_equal(graph.ncycle, 0);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(graph.order[i], expected[i]);
}

/* Random graphs: every node behind its parents, or a real circle. */
static void
order_at_random(struct arena *arena)
{
	struct chance chance = chance_new(8);

	for (int round = 0; round < 300; round++) {
		struct buf nodes = buf_new(arena, 1024);
		size_t n = 1 + chance_below(&chance, 12), seen = 0;
		size_t *place = arena_array(arena, n, sizeof(size_t));
		struct graph graph;

		for (size_t i = 0; i < n; i++) {
			buf_str(&nodes, i > 0 ? ",{\"id\":\"n" : "{\"id\":\"n");
			buf_u64(&nodes, i);
			buf_str(&nodes, "\",\"run\":\"x\",\"needs\":[\"n");
			buf_u64(&nodes, chance_below(&chance, 4 * n));
			buf_str(&nodes, "\",\"n");
			buf_u64(&nodes, chance_below(&chance, 4 * n));
			buf_str(&nodes, "\"]}");
		}
		graph = graph_in(arena,
		    arena_cstr(arena, buf_span(&nodes)));
		for (size_t i = 0; i < graph.ncycle; i++) {
			size_t to = graph.cycle[(i + 1) % graph.ncycle];
			bool found = false;

			for (size_t k = 0; k < graph.parents[to].n; k++)
				found = found ||
				    graph.parents[to].at[k].from ==
					graph.cycle[i];
			assert_true(found);
		}
		if (graph.ncycle > 0)
			continue;
		for (size_t i = 0; i < n; i++)
			place[graph.order[i]] = i + 1;
		for (size_t i = 0; i < n; i++) {
			seen += place[i] > 0;
			for (size_t k = 0; k < graph.parents[i].n; k++)
				assert_true(
				    place[graph.parents[i].at[k].from] <
				    place[i]);
		}
		assert_int_equal(seen, n);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(edges_of),
	    TEST(order),
	    TEST(order_at_random),
	};

	return RUN_TESTS(tests);
}
