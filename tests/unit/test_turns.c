/*
 * Whose turn it is: after all that it waits for, the first in the order.
 */
#include "unit.h"
#include "work/workflow/turns.h"

enum { NODES = 200 };

/* A graph in which each node waits for some before it, by chance. */
static struct graph
random_graph(struct arena *arena, uint32_t *seed)
{
	struct graph graph = {.arena = arena, .n = NODES};

	graph.parents = arena_array(arena, NODES, sizeof(*graph.parents));
	graph.order = arena_array(arena, NODES, sizeof(size_t));
	for (size_t i = 0; i < NODES; i++) {
		struct parents *parents = &graph.parents[i];

		graph.order[i] = i;
		parents->at = arena_array(arena, i + 1, sizeof(struct edge));
		for (size_t k = 0; k < i; k++) {
			*seed = *seed * 1664525 + 1013904223;
			if (*seed >> 16 < 1500)
				parents->at[parents->n++] =
				    (struct edge){k, EDGE_ORDER};
		}
	}
	return graph;
}

static bool
is_ready(const struct graph *graph, const bool *passed, size_t i)
{
	for (size_t k = 0; k < graph->parents[i].n; k++)
		if (!passed[graph->parents[i].at[k].from])
			return false;
	return true;
}

/* One is taken, some end later: always the first that can be. */
static void
the_first_that_can(struct arena *arena)
{
	uint32_t seed = 7;

	for (size_t round = 0; round < 20; round++) {
		struct graph graph = random_graph(arena, &seed);
		bool skipped[NODES] = {false}, passed[NODES] = {false};
		bool taken[NODES] = {false};
		struct turns *turns;
		size_t working[NODES], n = 0, done = 0, i, first;

		skipped[round % 10] = round % 3 == 0;
		turns = turns_of(&graph, skipped);
		do {
			for (first = 0; first < NODES; first++)
				if (!taken[first] && !skipped[first] &&
				    is_ready(&graph, passed, first))
					break;
			assert_int_equal(turns_any(turns), first < NODES);
			if (turns_take(turns, &i)) {
				assert_int_equal(i, first);
				if (seed % 7 == 0) {
					turns_put_back(turns, i);
					seed++;
					continue;
				}
				taken[i] = true;
				working[n++] = i;
			}
			seed = seed * 1664525 + 1013904223;
			if (n > 0 && (seed >> 20 < 2048 || first == NODES)) {
				i = working[--n];
				passed[i] = true;
				turns_passed(turns, i);
				done++;
			}
		} while (n > 0 || turns_any(turns));
		if (round % 3 != 0)
			assert_int_equal(done, NODES);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(the_first_that_can),
	};

	return RUN_TESTS(tests);
}
