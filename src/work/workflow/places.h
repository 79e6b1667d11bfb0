/*
 * places.h -- where the outputs of a workflow's nodes are, and who reads them.
 *
 * Paths are compared as places (path/where.h), not as they are written: "o",
 * "./o", "a/../o", the absolute name and a path through a link are the same
 * place.  A place is where the path leads when the workflow is loaded.
 */
#ifndef READCACHE_WORK_WORKFLOW_PLACES_H
#define READCACHE_WORK_WORKFLOW_PLACES_H

#include "path/where.h"
#include "work/workflow/workflow.h"

/* An output. */
struct made {
	struct where where;
	size_t node; /* the node that makes it */
	struct span path; /* as it is written */
};

struct places;

/*
 * The outputs of WORKFLOW.  Paths are relative to ROOT, an absolute name.
 * LINKS is a cache (may be NULL): no link may change until the last
 * places_read.
 */
struct places *places_of(struct arena *arena, struct span root,
    const struct workflow *workflow, struct links *links);

/* Called for an output that was found. */
typedef void places_visit(void *context, const struct made *made);

/*
 * Visit every output that a reader of PATH (a file, a directory or a pattern)
 * reads too: PATH is the output, is in it, contains it, or leads through it.
 * Of several outputs at one place, which is a fault, only the first is
 * visited if PATH is there or below.
 */
void places_read(
    struct places *places, struct span path, places_visit *visit, void *context);

/*
 * Were there more patterns and outputs than can be compared with each other?
 * Then places_read has not visited all.
 */
bool places_gave_up(const struct places *places);

/*
 * Call PAIR for every output INNER that is at the place of an output OUTER of
 * another node, or in it.  Of several such at one place OUTER is the first.
 */
typedef void places_pair(
    void *context, const struct made *outer, const struct made *inner);
void places_overlaps(
    struct places *places, places_pair *pair, void *context);

#endif
