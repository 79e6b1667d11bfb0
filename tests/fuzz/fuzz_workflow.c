/*
 * Workflow files.  One that is taken can be run: its nodes have an order, and
 * what is handed to a shell can be.  What is refused is told with its line.
 */
#include "fuzz.h"

#include "json/canon.h"
#include "work/workflow/check.h"
#include "work/workflow/parse.h"

#define ROOT SPAN("/nonexistent/project")

struct loaded {
	struct workflow workflow;
	struct graph graph; /* if there are no faults */
	struct flow_faults faults;
};

/* As bundle.c does. */
static struct loaded
load(struct arena *arena, struct span text)
{
	struct loaded l = {.faults = {.arena = arena}};

	parse_workflow(arena, SPAN("flow.json"), text, &l.workflow, &l.faults);
	if (l.faults.n > 0)
		return l;
	l.graph = graph_of(arena, ROOT, &l.workflow, NULL);
	check_workflow(&l.workflow, &l.graph, SPAN("flow.json"), &l.faults);
	return l;
}

static void
check_faults(
    struct arena *arena, const struct flow_faults *faults, struct span text)
{
	uint64_t lines = 1;

	for (size_t i = 0; i < text.n; i++)
		lines += text.p[i] == '\n';
	for (const struct flow_fault *m = faults->first; m != NULL;
	     m = m->next) {
		struct buf line = buf_new(arena, 128);

		EXPECT(m->line <= lines);
		EXPECT(m->sentence.n > 0);
		flow_fault_write(&line, m);
		EXPECT(span_starts(buf_span(&line), SPAN("flow.json:")));
	}
}

/* Every node once, behind all that it waits for. */
static void
check_order(struct arena *arena, const struct graph *graph)
{
	bool *done = arena_array(arena, graph->n, sizeof(*done));

	EXPECT(graph->ncycle == 0);
	for (size_t i = 0; i < graph->n; i++) {
		size_t node = graph->order[i];
		const struct parents *parents = &graph->parents[node];

		EXPECT(node < graph->n && !done[node]);
		for (size_t k = 0; k < parents->n; k++)
			EXPECT(done[parents->at[k].from]);
		done[node] = true;
	}
}

static bool
any_value(
    void *context, const struct template_piece *reference, struct span *value)
{
	(void)context;
	(void)reference;
	*value = SPAN("value");
	return true;
}

static void
check_node(struct arena *arena, const struct node *node)
{
	size_t n;

	EXPECT(node->id.n > 0);
	EXPECT(check_sharing(node) == NULL);
	EXPECT(!(node_decides(node) && node->scope == NODE_CROSS_RUN));
	EXPECT(!node->has_ttl || node->ttl_ms > 0);
	for (size_t i = 0; i < node->run.n; i++)
		EXPECT(!span_has(node->run.at[i], '\0'));
	if (node->run.n == 1 && !node->run_is_words && node->type != NODE_FLOW)
		EXPECT(template_shell(arena, node->run.at[0], any_value, NULL,
			   &n) != NULL);
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct loaded l = load(arena, input), again;
	struct span canonical;

	check_faults(arena, &l.faults, input);
	if (l.faults.n == 0) {
		check_order(arena, &l.graph);
		for (size_t i = 0; i < l.workflow.nnodes; i++)
			check_node(arena, &l.workflow.nodes[i]);
	}
	/* How it is spelled makes no difference. */
	if (canon_json(arena, input, &canonical) != NULL)
		return;
	again = load(arena, canonical);
	EXPECT(again.faults.n == l.faults.n);
	EXPECT(again.workflow.nnodes == l.workflow.nnodes);
}
