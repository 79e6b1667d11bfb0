/*
 * graph.h -- which node waits for which, and why.
 *
 * If no node has "needs", the nodes form a line, in the order of the file.
 * Otherwise "needs", references (${a.stdout}) and files (what one makes, the
 * other reads) are the edges.  Files are compared by their places (places.h);
 * whether one exists never decides about an edge.
 */
#ifndef READCACHE_WORK_WORKFLOW_GRAPH_H
#define READCACHE_WORK_WORKFLOW_GRAPH_H

#include "work/workflow/places.h"
#include "work/workflow/strings.h"

enum edge_why {
	EDGE_ORDER = 1, /* the line, or "needs" */
	EDGE_VALUE = 2, /* ${a.stdout} */
	EDGE_FILE = 4	/* an output that it reads, or has a fingerprint of */
};

struct edge {
	size_t from;
	unsigned why; /* several of edge_why */
};

struct parents {
	struct edge *at; /* in the order of the file */
	size_t n, room;
};

struct graph {
	struct arena *arena;
	size_t n;
	bool is_line;
	struct map *ids;	       /* to the index of the node */
	struct parents *parents;       /* of each node */
	struct references *references; /* of each node */
	struct last_edge *last;	       /* from each node, see graph.c */
	struct places *outs;	       /* what they make */
	size_t *order;		       /* every node behind its parents */
	size_t *cycle; /* nodes, each the parent of the next one */
	size_t ncycle; /* 0: there is none, and "order" is complete */
};

/*
 * The graph of WORKFLOW, whose ids are unique and whose paths are relative to
 * ROOT; names that nobody has are passed over, check.h tells them.  LINKS may
 * be NULL.
 */
struct graph graph_of(struct arena *arena, struct span root,
    const struct workflow *workflow, struct links *links);

/* The index of the node called ID; graph->n if there is none. */
size_t graph_find(const struct graph *graph, struct span id);

#endif
