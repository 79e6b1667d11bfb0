#include "workflow/graph.h"

#include <fnmatch.h>

#include "base/map.h"

/* What all functions here need, and what they fill. */
struct builder {
	struct graph *graph;
	const struct workflow *workflow;
	struct map *outs; /* from the path to the index of its maker */
};

/* ---- edges ---- */

static void
add_edge(struct graph *graph, size_t from, size_t to, enum edge_why why)
{
	struct parents *parents = &graph->parents[to];
	struct edge *more;

	for (size_t i = 0; i < parents->n; i++)
		if (parents->at[i].from == from) {
			parents->at[i].why |= why;
			return;
		}
	if (parents->n == parents->room) {
		parents->room = parents->room * 2 + 2;
		more = arena_array(graph->arena, parents->room, sizeof(*more));
		if (parents->n > 0)
			memcpy(more, parents->at, parents->n * sizeof(*more));
		parents->at = more;
	}
	parents->at[parents->n++] = (struct edge){from, why};
}

static struct span
plain_path(struct span path)
{
	while (span_starts(path, SPAN("./")))
		path = span_from(path, 2);
	while (path.n > 1 && path.p[path.n - 1] == '/')
		path.n--;
	return path;
}

static bool
is_pattern(struct span path)
{
	return span_has(path, '*') || span_has(path, '?') ||
	       span_has(path, '[') || span_has(path, '{');
}

/* A pattern: every output it might match; braces match anything here. */
static void
add_pattern(struct builder *b, size_t to, struct span dep)
{
	char *pattern = arena_cstr(b->graph->arena, plain_path(dep));
	char *brace = strchr(pattern, '{');

	if (brace != NULL)
		(void)strcpy(brace, "*");
	for (size_t i = 0; i < b->workflow->nnodes; i++) {
		const struct node *node = &b->workflow->nodes[i];

		for (size_t k = 0; k < node->nouts && i != to; k++)
			if (fnmatch(pattern,
				arena_cstr(b->graph->arena,
				    plain_path(node->outs[k].path)),
				0) == 0)
				add_edge(b->graph, i, to, EDGE_FILE);
	}
}

/* PATH and the directories above it: who makes one of them? */
static void
add_path(struct builder *b, size_t to, struct span dep)
{
	struct span path = plain_path(dep);
	const char *slash;

	while (path.n > 0) {
		uint64_t *maker = map_find(b->outs, path);

		if (maker != NULL && *maker != to)
			add_edge(b->graph, (size_t)*maker, to, EDGE_FILE);
		slash = memrchr(path.p, '/', path.n);
		path.n = slash != NULL ? (size_t)(slash - path.p) : 0;
	}
}

static void
add_files(struct builder *b, size_t to, const struct names *paths)
{
	for (size_t i = 0; i < paths->n; i++)
		if (is_pattern(paths->at[i]))
			add_pattern(b, to, paths->at[i]);
		else
			add_path(b, to, paths->at[i]);
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
}

/* ---- order ---- */

enum colour { WHITE, GREY, BLACK };

/* A walk to the parents first, without recursion: lines may be long. */
struct visit {
	size_t node, next; /* the next parent to look at */
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
	/* The stack goes from child to parent; people read the other way. */
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
graph_of(struct arena *arena, const struct workflow *workflow)
{
	struct graph graph = {
	    .arena = arena, .n = workflow->nnodes, .is_line = true};
	struct builder b = {.graph = &graph, .workflow = workflow};

	graph.parents = arena_array(arena, graph.n, sizeof(*graph.parents));
	graph.references =
	    arena_array(arena, graph.n, sizeof(*graph.references));
	graph.order = arena_array(arena, graph.n, sizeof(size_t));
	graph.ids = map_new(arena, graph.n);
	b.outs = map_new(arena, graph.n);
	for (size_t i = 0; i < graph.n; i++) {
		const struct node *node = &workflow->nodes[i];

		graph.is_line = graph.is_line && !node->has_needs;
		*map_at(graph.ids, node->id, i) = i;
		for (size_t k = 0; k < node->nouts; k++)
			*map_at(b.outs, plain_path(node->outs[k].path), i) = i;
	}
	for (size_t i = 0; i < graph.n; i++)
		add_parents(&b, i);
	sort_nodes(&graph);
	return graph;
}
