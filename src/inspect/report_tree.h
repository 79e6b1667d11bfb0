/*
 * report_tree.h -- the shape of a session: where it forks.
 */
#ifndef READCACHE_INSPECT_REPORT_TREE_H
#define READCACHE_INSPECT_REPORT_TREE_H

#include "inspect/report_data.h"

/*
 * Fill in the stretches of REPORT, in ARENA.  The result is the stretch of
 * each node, which lives as long as the index.
 */
uint32_t *report_tree(struct report *report, const struct index *index,
    struct arena *arena);

/* The id of NODE, for people; empty if it is not valid text. */
struct span report_id(const struct index *index, uint32_t node,
    struct arena *arena);

#endif
