/*
 * judge.h -- may the kept result of a node without files be used again?
 *
 * In this order, and in any doubt not:
 *   scope off, --no-cache, --rerun; a gate or an approval; a fingerprint that
 *   cannot be resolved; no result yet, or a failure; the node is not what it
 *   was; the nodes above are not what they were; the result is too old,
 *   damaged or gone.
 * A node that is "cross-run" then has a second chance: any result with the
 * same key, from whatever run.
 */
#ifndef READCACHE_WORK_WORKFLOW_JUDGE_H
#define READCACHE_WORK_WORKFLOW_JUDGE_H

#include "work/workflow/engine.h"

struct judgement {
	struct verdict verdict;
	struct value value; /* if it is reused */
	struct digest stamp;
	uint64_t created_ms;

	/* For keeping the result if the work is done: */
	struct parts parts;
	struct upstream *above;
	size_t nabove;
	bool keep;	   /* it may be kept at all */
	struct digest key; /* of its record */
	const char *why;   /* the node cannot be run: a sentence */
};

/* Judge node I of RUN, whose parents have ended. */
struct judgement judge_node(struct flow_run *run, size_t i);

/* The same thing for texts of node I of RUN, with all that is known. */
struct resolver judge_resolver(struct flow_run *run, size_t i);

/* Are all values known that the texts of node I refer to? */
bool judge_knows_values(const struct flow_run *run, size_t i);

/* Does the command line want NODE to be done in any case? */
bool judge_is_forced(const struct flow_run *run, const struct node *node);

/* What stands for the result of RECORD. */
struct digest judge_stamp(const struct node *node, const struct value *value,
    struct span key, uint64_t created_ms, struct span run_id);

/* What stands for a gate that lets pass: what is ABOVE it, not its words. */
struct digest judge_passed(const struct upstream *above, size_t n);

/*
 * What stands for node FROM, to one that is behind it because of WHY (see
 * edge_why); false if this run does not know.
 */
bool judge_stamp_for(const struct flow_run *run, size_t from, unsigned why,
    struct digest *stamp);

/*
 * Looking: a gate as it was is expected to say what it said.  Its stamp is
 * the one of the session then, and else stays unknown.
 */
void judge_expect(
    struct flow_run *run, size_t i, const struct judgement *judged);

#endif
