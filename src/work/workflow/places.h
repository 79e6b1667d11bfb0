/*
 * places.h -- where the outputs of a workflow's nodes lie, and who meets them.
 *
 * Paths are compared as places (path/where.h), not as they are written: "o",
 * "./o", "a/../o", the absolute name and a way through a link are one.  A
 * place is where the path leads when the workflow is loaded.
 */
#ifndef READCACHE_WORK_WORKFLOW_PLACES_H
#define READCACHE_WORK_WORKFLOW_PLACES_H

#include "path/where.h"
#include "work/workflow/workflow.h"

/* One output. */
struct made {
	struct where where;
	size_t node; /* which makes it */
	struct span path; /* as it is written */
};

struct places;

/*
 * The outputs of WORKFLOW, with paths relative to ROOT, an absolute name.
 * LINKS is for now: nothing is done until the last places_read.
 */
struct places *places_of(struct arena *arena, struct span root,
    const struct workflow *workflow, struct links *links);

/* Called with an output that is met. */
typedef void places_visit(void *context, const struct made *made);

/*
 * Every output that whoever reads PATH, a file, a directory or a pattern,
 * reads too: it is the output, is in it, has it in it, or leads through it.
 */
void places_read(
    struct places *places, struct span path, places_visit *visit, void *context);

/* Every two outputs of different nodes of which one is, or is in, the other. */
typedef void places_pair(
    void *context, const struct made *outer, const struct made *inner);
void places_overlaps(
    struct places *places, places_pair *pair, void *context);

#endif
