/*
 * turns.h -- whose turn it is.
 *
 * A node's turn comes when all its parents have ended well.  Of several such
 * nodes the first in the graph's order comes first.  Each edge is looked at
 * once, so the cost of a run grows with the size of its graph.
 */
#ifndef READCACHE_WORK_WORKFLOW_TURNS_H
#define READCACHE_WORK_WORKFLOW_TURNS_H

#include "work/workflow/graph.h"

struct turns;

/* Turns for the nodes of GRAPH that are not SKIPPED. */
struct turns *turns_of(const struct graph *graph, const bool *skipped);

/* Take the next node; false if none can begin now. */
bool turns_take(struct turns *turns, size_t *i);

/* Is there a node whose turn it is? */
bool turns_any(const struct turns *turns);

/* Node I was taken but could not begin: its turn comes again. */
void turns_put_back(struct turns *turns, size_t i);

/* Node I has ended well: its children wait for one node less. */
void turns_passed(struct turns *turns, size_t i);

#endif
