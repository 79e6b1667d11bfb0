/*
 * parts.h -- what a node's result depends on, besides the nodes above it.
 *
 * Each part has a name and a value.  All of them together make the node's
 * config hash; what they were is kept with the result, so that it can be told
 * later which of them has changed, from what to what.
 *
 * Not part of it is what only people read (purpose), how results are reused
 * (cache, cutoff, effects) and where the node stands in the file.
 */
#ifndef READCACHE_WORK_WORKFLOW_PARTS_H
#define READCACHE_WORK_WORKFLOW_PARTS_H

#include "work/fingerprint/fingerprint.h"
#include "work/record/verdict.h"
#include "work/workflow/resolve.h"

struct part {
	enum reason reason; /* what it is called if it has changed */
	struct span name;
	struct span shown; /* its value, or the hash of a long or secret one */
};

struct parts {
	struct arena *arena;
	struct part *at;
	size_t n, room;
	struct key key;
	struct digest config;	  /* of all, once they are complete */
	struct fingerprint unresolved; /* spec is empty: there is none */
	const char *why;	  /* a part cannot be told: the node fails */
};

/*
 * The parts of the node R->node; INNER is the workflow it runs, or NULL.
 * False if one of them cannot be told (parts->why).
 */
bool parts_collect(struct resolver *r, struct hasher *hasher,
    const struct bundle *inner, struct parts *parts);

/* {"name":"shown",...}, to be kept with the result. */
struct span parts_json(const struct parts *parts);

/*
 * Add to VERDICT a reason for every part that is not as OLD, a text that
 * parts_json has made, says.
 */
void parts_compare(
    const struct parts *parts, struct span old, struct verdict *verdict);

#endif
