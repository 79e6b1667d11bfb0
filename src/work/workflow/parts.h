/*
 * parts.h -- what a node's result depends on, besides its parents.
 *
 * Each part has a name and a value.  All parts together make the node's config
 * hash.  They are kept with the result, so that it can be said later which of
 * them changed, and from what to what.  What is written in the workflow's file
 * is kept as it is; of values that were given (inputs, variables) only hashes
 * are kept, and only their names are told.
 *
 * Not included: what only people read (purpose), how results are reused
 * (cache, cutoff, effects), and where the node is in the file.
 */
#ifndef READCACHE_WORK_WORKFLOW_PARTS_H
#define READCACHE_WORK_WORKFLOW_PARTS_H

#include "work/fingerprint/fingerprint.h"
#include "work/record/verdict.h"
#include "work/workflow/resolve.h"

struct part {
	enum reason reason; /* the reason to report if it has changed */
	struct span name;
	struct span shown; /* its value, or its hash if long or secret */
	bool secret;	   /* only its name is told */
};

struct parts {
	struct arena *arena;
	struct part *at;
	size_t n, room;
	struct key key;
	struct digest config;	       /* of all parts, when complete */
	struct fingerprint unresolved; /* spec is empty if there is none */
	const char *why; /* why a part is not known: the node fails */
};

/*
 * Collect the parts of R->node.  INNER is the workflow it runs, or NULL.
 * False if a part cannot be known: parts->why says why.
 */
bool parts_collect(struct resolver *r, struct hasher *hasher,
    const struct bundle *inner, struct parts *parts);

/* {"name":"shown",...}, to be kept with the result. */
struct span parts_json(const struct parts *parts);

/*
 * Add to VERDICT a reason for every part that differs from OLD, a text that
 * parts_json made.
 */
void parts_compare(
    const struct parts *parts, struct span old, struct verdict *verdict);

#endif
