/*
 * judge.h -- may the kept result of a node without files be used again?
 *
 * The result is not reused if one of these holds:
 *  1. A fingerprint cannot be resolved.
 *  2. Its scope is off, or the command line demands a run (--no-cache,
 *     --rerun, --only).
 *  3. The node is a gate or an approval, unless its run is being resumed.
 *  4. The session has no result of it, or it failed.  (A saved workflow has no
 *     session, except to resume a run.)
 *  5. The node itself has changed.
 *  6. Its parents, or their results, have changed.
 *  7. The result is too old, damaged or gone.
 * A node with the scope "cross-run" has a second chance after 4 to 7: any
 * result with the same key, from whatever run.
 */
#ifndef READCACHE_WORK_WORKFLOW_JUDGE_H
#define READCACHE_WORK_WORKFLOW_JUDGE_H

#include "work/workflow/engine.h"

struct judgement {
	struct verdict verdict;
	struct value value; /* if it is reused */
	struct digest stamp;
	uint64_t created_ms;

	/* To keep the result if the work is done: */
	struct parts parts;
	struct upstream *above;
	size_t nabove;
	bool keep;	   /* it may be kept at all */
	struct digest key; /* of its record */
	const char *why;   /* why the node cannot be run, or NULL */
};

/* Judge node I of RUN, whose parents have ended. */
struct judgement judge_node(struct flow_run *run, size_t i);

/* A resolver for the texts of node I of RUN. */
struct resolver judge_resolver(struct flow_run *run, size_t i);

/* Are all values known that the texts of node I refer to? */
bool judge_knows_values(const struct flow_run *run, size_t i);

/* Does the command line demand that NODE is run in any case? */
bool judge_is_forced(const struct flow_run *run, const struct node *node);

/*
 * The stamp of a result: it changes when the result does.  KEY and RUN_ID are
 * those of its record.
 */
struct digest judge_stamp(const struct node *node, const struct value *value,
    struct span key, uint64_t created_ms, struct span run_id);

/*
 * The stamp of a gate for nodes that only wait for it: it depends on the nodes
 * ABOVE the gate, not on what the gate printed.
 */
struct digest judge_passed(const struct upstream *above, size_t n);

/*
 * The stamp of node FROM for a node that depends on it because of WHY
 * (edge_why).  False if this run does not know it.
 */
bool judge_stamp_for(const struct flow_run *run, size_t from, unsigned why,
    struct digest *stamp);

/*
 * When looking: a gate that has not changed is expected to give the same
 * answer.  Its stamp is then the one of the session; otherwise it stays
 * unknown.
 */
void judge_expect(
    struct flow_run *run, size_t i, const struct judgement *judged);

#endif
