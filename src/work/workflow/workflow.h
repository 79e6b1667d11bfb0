/*
 * workflow.h -- a workflow as its file describes it.
 *
 * It has only what the file says.  What that means for the cache is in graph.h
 * (which node waits for which) and parts.h (what a node depends on).
 */
#ifndef READCACHE_WORK_WORKFLOW_WORKFLOW_H
#define READCACHE_WORK_WORKFLOW_WORKFLOW_H

#include <stdint.h>

#include "base/arena.h"

enum node_type {
	NODE_SHELL,
	NODE_AGENT,    /* answered by a command of the host */
	NODE_GATE,     /* a command decides whether to go on */
	NODE_APPROVAL, /* a person decides */
	NODE_FLOW,     /* another workflow */
	NODE_TYPES
};

/* How widely a result may be reused. */
enum node_scope { NODE_RUN_ONLY, NODE_CROSS_RUN, NODE_OFF, NODE_SCOPES };

/* A list of strings. */
struct names {
	struct span *at;
	size_t n;
};

struct node_out {
	struct span path;
	bool kept; /* a copy goes into the store */
};

struct node {
	struct span id;
	enum node_type type;
	struct span source; /* its part of the file */

	struct names run;   /* one string: for sh, or a workflow's name */
	bool run_is_words;  /* it was an array: no shell */
	struct span params; /* a JSON object, or empty */
	struct span batch;  /* a JSON object, or empty */
	bool has_stdin;
	struct span input; /* of its command: one reference */

	bool has_needs;
	struct names needs, deps, code, env;
	struct names context; /* files for an agent; also in fingerprint */
	struct node_out *outs;
	size_t nouts;

	bool effects; /* must not be repeated or shared */
	bool cutoff;  /* the same result again changes nothing below */

	enum node_scope scope;
	struct span ttl; /* as written, or empty */
	bool has_ttl;
	uint64_t ttl_ms;
	struct names fingerprint;
};

/* An input that may be given on the command line. */
struct workflow_input {
	struct span name;
	bool has_value;
	struct span value; /* the default */
};

struct workflow {
	struct span text; /* of the file; everything points into it */
	struct span name; /* empty if it has none */
	struct workflow_input *inputs;
	size_t ninputs;
	struct node *nodes; /* in the order of the file */
	size_t nnodes;
};

/* "shell", "agent", ...; and "run-only", "cross-run", "off". */
const char *node_type_name(enum node_type type);
const char *node_scope_name(enum node_scope scope);

/* Does the node have files that its command reads or makes? */
static inline bool
node_is_stage(const struct node *node)
{
	return node->deps.n > 0 || node->code.n > 0 || node->nouts > 0;
}

/* Must it be asked again in every run? */
static inline bool
node_decides(const struct node *node)
{
	return node->type == NODE_GATE || node->type == NODE_APPROVAL;
}

/* The number of the line of the file that AT is in. */
uint64_t workflow_line(const struct workflow *workflow, const char *at);

#endif
