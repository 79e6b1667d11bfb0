/*
 * graph.h -- which node waits for which, and why.
 *
 * If no node has "needs", the nodes form a line, in the order of the file.
 * Otherwise the edges come from "needs", from references (${a.stdout}) and
 * from files (what one node makes, another reads).  Files are compared by
 * their places (places.h).  Whether a file exists never decides about an edge.
 */
#ifndef READCACHE_WORK_WORKFLOW_GRAPH_H
#define READCACHE_WORK_WORKFLOW_GRAPH_H

#include "work/workflow/places.h"
#include "work/workflow/strings.h"

enum edge_why {
	EDGE_ORDER = 1, /* the line, or "needs" */
	EDGE_VALUE = 2, /* ${a.stdout} */
	EDGE_FILE = 4	/* it reads, or has a fingerprint of, an output */
};

struct edge {
	size_t from;
	unsigned why; /* a set of edge_why */
};

struct parents {
	struct edge *at; /* in the order of the file */
	size_t n, room;
};

struct graph {
	struct arena *arena;
	size_t n;
	bool is_line;
	struct map *ids;	       /* id -> index of the node */
	struct parents *parents;       /* of each node */
	struct references *references; /* of each node */
	struct last_edge *last;	       /* from each node, see graph.c */
	struct places *outs;	       /* the outputs of all nodes */
	size_t crowded; /* 1 + node: from it on edges to files are missing */
	size_t *order;		       /* every node after its parents */
	size_t *cycle; /* nodes, each a parent of the next */
	size_t ncycle; /* 0: there is no cycle, and ORDER is complete */
};

/*
 * Make the graph of WORKFLOW, whose ids are unique and whose paths are
 * relative to ROOT.  Names that no node has are ignored here; check.h reports
 * them.  LINKS may be NULL.
 */
struct graph graph_of(struct arena *arena, struct span root,
    const struct workflow *workflow, struct links *links);

/* The index of the node called ID; graph->n if there is none. */
size_t graph_find(const struct graph *graph, struct span id);

#endif
