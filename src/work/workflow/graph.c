#include "work/workflow/graph.h"

#include "base/map.h"
#include "work/fingerprint/fingerprint.h"

/* The arguments and the result of building a graph. */
struct builder {
	struct graph *graph;
	const struct workflow *workflow;
};

/* ---- edges ---- */

/*
 * The last edge from a node.  All edges to one node are added in a row, so a
 * second edge between the same nodes is found here.
 */
struct last_edge {
	size_t to; /* plus 1; 0 if there is none */
	size_t at; /* index among its parents */
};

static void
add_edge(struct graph *graph, size_t from, size_t to, enum edge_why why)
{
	struct parents *parents = &graph->parents[to];
	struct last_edge *last = &graph->last[from];
	struct edge *more;

	if (last->to == to + 1) {
		parents->at[last->at].why |= why;
		return;
	}
	*last = (struct last_edge){to + 1, parents->n};
	if (parents->n == parents->room) {
		parents->room = parents->room * 2 + 2;
		more = arena_array(graph->arena, parents->room, sizeof(*more));
		if (parents->n > 0)
			memcpy(more, parents->at, parents->n * sizeof(*more));
		parents->at = more;
	}
	parents->at[parents->n++] = (struct edge){from, why};
}

/* A node that reads a place waits for the node that makes it. */
struct graph_reading {
	struct graph *graph;
	size_t to;
};

static void
add_maker(void *context, const struct made *made)
{
	const struct graph_reading *reading = context;

	if (made->node != reading->to)
		add_edge(reading->graph, made->node, reading->to, EDGE_FILE);
}

static void
add_files(struct builder *b, size_t to, const struct names *paths)
{
	struct graph_reading reading = {b->graph, to};

	for (size_t i = 0; i < paths->n; i++)
		places_read(
		    b->graph->outs, paths->at[i], add_maker, &reading);
}

/* Add edges for fingerprints of files. */
static void
add_fingerprints(struct builder *b, size_t to, const struct names *specs)
{
	struct graph_reading reading = {b->graph, to};
	struct span path;

	for (size_t i = 0; i < specs->n; i++)
		if (fingerprint_finds_files(specs->at[i], &path))
			places_read(b->graph->outs, path, add_maker, &reading);
}

size_t
graph_find(const struct graph *graph, struct span id)
{
	const uint64_t *index = map_find(graph->ids, id);

	return index != NULL ? (size_t)*index : graph->n;
}

static void
add_named(struct builder *b, size_t to, struct span id, enum edge_why why)
{
	size_t from = graph_find(b->graph, id);

	if (from < b->graph->n)
		add_edge(b->graph, from, to, why);
}

static void
add_parents(struct builder *b, size_t to)
{
	const struct node *node = &b->workflow->nodes[to];
	struct references *references = &b->graph->references[to];

	if (b->graph->is_line && to > 0)
		add_edge(b->graph, to - 1, to, EDGE_ORDER);
	for (size_t i = 0; i < node->needs.n; i++)
		add_named(b, to, node->needs.at[i], EDGE_ORDER);
	*references = references_of(b->graph->arena, node);
	for (size_t i = 0; i < references->n; i++)
		add_named(b, to, references->at[i].base, EDGE_VALUE);
	add_files(b, to, &node->deps);
	add_files(b, to, &node->code);
	add_fingerprints(b, to, &node->fingerprint);
	if (b->graph->crowded == 0 && places_gave_up(b->graph->outs))
		b->graph->crowded = to + 1;
}

/* ---- order ---- */

enum colour { WHITE, GREY, BLACK };

/* A walk that visits parents first, without recursion: lines may be long. */
struct visit {
	size_t node, next; /* the next parent to visit */
};

static void
note_cycle(
    struct graph *graph, const struct visit *stack, size_t depth, size_t again)
{
	size_t first = depth - 1;

	while (stack[first].node != again)
		first--;
	graph->ncycle = depth - first;
	graph->cycle = arena_array(graph->arena, graph->ncycle, sizeof(size_t));
	/* The stack goes from child to parent; people read it the other way. */
	for (size_t i = 0; i < graph->ncycle; i++)
		graph->cycle[i] = stack[depth - 1 - i].node;
}

static void
sort_nodes(struct graph *graph)
{
	struct visit *stack =
	    arena_array(graph->arena, graph->n + 1, sizeof(*stack));
	unsigned char *colours = arena_array(graph->arena, graph->n, 1);
	size_t done = 0;

	for (size_t root = 0; root < graph->n; root++) {
		size_t depth = 0;

		if (colours[root] == WHITE)
			stack[depth++] = (struct visit){root, 0};
		while (depth > 0) {
			struct visit *top = &stack[depth - 1];
			struct parents *parents = &graph->parents[top->node];
			size_t next;

			colours[top->node] = GREY;
			if (top->next == parents->n) {
				colours[top->node] = BLACK;
				graph->order[done++] = top->node;
				depth--;
				continue;
			}
			next = parents->at[top->next++].from;
			if (colours[next] == GREY) {
				note_cycle(graph, stack, depth, next);
				return;
			}
			if (colours[next] == WHITE)
				stack[depth++] = (struct visit){next, 0};
		}
	}
}

struct graph
graph_of(struct arena *arena, struct span root,
    const struct workflow *workflow, struct links *links)
{
	struct graph graph = {
	    .arena = arena, .n = workflow->nnodes, .is_line = true};
	struct builder b = {.graph = &graph, .workflow = workflow};

	graph.parents = arena_array(arena, graph.n, sizeof(*graph.parents));
	graph.references =
	    arena_array(arena, graph.n, sizeof(*graph.references));
	graph.order = arena_array(arena, graph.n, sizeof(size_t));
	graph.ids = map_new(arena, graph.n);
	graph.last = arena_array(arena, graph.n, sizeof(*graph.last));
	graph.outs = places_of(arena, root, workflow, links);
	for (size_t i = 0; i < graph.n; i++) {
		const struct node *node = &workflow->nodes[i];

		graph.is_line = graph.is_line && !node->has_needs;
		*map_at(graph.ids, node->id, i) = i;
	}
	for (size_t i = 0; i < graph.n; i++)
		add_parents(&b, i);
	sort_nodes(&graph);
	return graph;
}
