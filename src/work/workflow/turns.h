/*
 * turns.h -- whose turn it is.
 *
 * A node's turn comes when all that it waits for have ended well; of several
 * the first in the graph's order.  Each edge is looked at once, so a run costs
 * as much as its graph is large.
 */
#ifndef READCACHE_WORK_WORKFLOW_TURNS_H
#define READCACHE_WORK_WORKFLOW_TURNS_H

#include "work/workflow/graph.h"

struct turns;

/* For the nodes of GRAPH that are not SKIPPED. */
struct turns *turns_of(const struct graph *graph, const bool *skipped);

/* The next node, which is taken out; false if none can be begun now. */
bool turns_take(struct turns *turns, size_t *i);

/* Is there one? */
bool turns_any(const struct turns *turns);

/* I was taken and could not be begun: its turn comes again. */
void turns_put_back(struct turns *turns, size_t i);

/* I has ended well: those that wait for it come nearer. */
void turns_passed(struct turns *turns, size_t i);

#endif
