/*
 * workflow.h -- a workflow as its file describes it.
 *
 * Only what the file says: what it means for the cache is said in graph.h
 * (which node waits for which) and parts.h (what a node depends on).
 */
#ifndef READCACHE_WORK_WORKFLOW_WORKFLOW_H
#define READCACHE_WORK_WORKFLOW_WORKFLOW_H

#include <stdint.h>

#include "base/arena.h"

enum node_type {
	NODE_SHELL,
	NODE_AGENT,    /* the host's command answers */
	NODE_GATE,     /* a command says whether to go on */
	NODE_APPROVAL, /* a person says so */
	NODE_FLOW,     /* another workflow */
	NODE_TYPES
};

/* How far a result may be reused. */
enum node_scope { NODE_RUN_ONLY, NODE_CROSS_RUN, NODE_OFF, NODE_SCOPES };

/* Several strings. */
struct names {
	struct span *at;
	size_t n;
};

struct node_out {
	struct span path;
	bool kept; /* its content goes into the store */
};

struct node {
	struct span id;
	enum node_type type;
	struct span source; /* its part of the file */

	struct names run;   /* one string is for sh, or a workflow's name */
	bool run_is_words;  /* an array was given: no shell */
	struct span params; /* a JSON object, or empty */
	struct span batch;  /* a JSON object, or empty */
	bool has_stdin;
	struct span input; /* of its command: one reference */

	bool has_needs;
	struct names needs, deps, code, env;
	struct names context; /* files an agent is given; in fingerprint too */
	struct node_out *outs;
	size_t nouts;

	bool effects; /* must not be repeated, must not be shared */
	bool cutoff;  /* the same result again changes nothing behind it */

	enum node_scope scope;
	struct span ttl; /* as written, or empty */
	bool has_ttl;
	uint64_t ttl_ms;
	struct names fingerprint;
};

/* An input that the command line may give. */
struct workflow_input {
	struct span name;
	bool has_value;
	struct span value; /* the default */
};

struct workflow {
	struct span text; /* the file; everything here points into it */
	struct span name; /* empty: none given */
	struct workflow_input *inputs;
	size_t ninputs;
	struct node *nodes; /* in the file's order */
	size_t nnodes;
};

const char *node_type_name(enum node_type type);
const char *node_scope_name(enum node_scope scope);

/* Has the node files that its command reads or makes? */
static inline bool
node_is_stage(const struct node *node)
{
	return node->deps.n > 0 || node->code.n > 0 || node->nouts > 0;
}

/* Must it be asked anew in every run? */
static inline bool
node_decides(const struct node *node)
{
	return node->type == NODE_GATE || node->type == NODE_APPROVAL;
}

/* The line of the file in which AT, a place in its text, lies. */
uint64_t workflow_line(const struct workflow *workflow, const char *at);

#endif
