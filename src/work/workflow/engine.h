/*
 * engine.h -- run a workflow, or look at it.
 *
 * Nodes come in an order in which each comes after those it waits for.  For
 * each, decide whether its kept result still holds (judge.h, or stage/ for a
 * node with files); else do its work and keep the result.  Several nodes may
 * work at once; decisions are made one at a time.
 *
 * Looking makes the same decisions but does no work and writes nothing.
 */
#ifndef READCACHE_WORK_WORKFLOW_ENGINE_H
#define READCACHE_WORK_WORKFLOW_ENGINE_H

#include "work/record/file.h"
#include "work/record/verdict.h"
#include "work/stage/stage.h"
#include "work/workflow/bundle.h"
#include "work/workflow/inputs.h"
#include "work/workflow/parts.h"
#include "work/workflow/session.h"
#include "work/workflow/value.h"

struct quiet_survey;

enum engine_mode { ENGINE_RUN, ENGINE_LOOK };

struct engine_options {
	enum engine_mode mode;
	bool no_cache;	      /* reuse nothing, but keep results */
	bool no_session;      /* the setting iteration-mode is off */
	struct names rerun;   /* nodes to be run again */
	struct names approve; /* approvals that are given */
	struct span only;     /* only this node; empty: all */
	struct span resume;   /* id of the run to continue; empty: a new run */
	size_t jobs;	      /* how many nodes may work at once */
	uint64_t ttl_ms;      /* of results in a session; 0: any age */
	struct span agent;    /* sh command that answers agents; or empty */
};

enum outcome {
	OUTCOME_WAITING, /* at the end: its turn did not come */
	OUTCOME_WORKING,
	OUTCOME_REUSED,
	OUTCOME_DONE,
	OUTCOME_STALE, /* looking: it would be run */
	OUTCOME_FAILED,
	OUTCOME_BLOCKED /* a gate said no, or an approval is missing */
};

/* The state of one node in a run. */
struct node_run {
	enum outcome outcome;
	struct verdict verdict;
	uint64_t began_us, took_us;
	uint64_t created_ms;  /* when the result was made */
	const char *error;    /* why it failed or is blocked */
	bool error_has_value; /* ERROR spells out a value: it is not kept */
	bool is_stamped;
	struct digest stamp; /* of its result, see session.h */
	bool is_passed;
	struct digest passed; /* of a gate, for nodes that only wait for it */
	struct span record;   /* of a node with files: its key, or empty */
	struct flow_run *inner;
	struct job *job; /* while it works */
};

/* The state of one workflow in a run. */
struct flow_run {
	struct engine *engine;
	const struct bundle *bundle;
	struct flow_run *outer; /* the run it is part of, or NULL */
	const struct node *as;	/* the node of OUTER that runs it */
	struct inputs inputs;
	struct flow_session session;
	struct node_run *nodes;
	struct value *values; /* of each node */
	bool *wanted;	      /* is its value or stamp used? */
	bool *skipped;	      /* nodes that do not get a turn */
	size_t *at_work;      /* the nodes that work now */
	size_t working;	      /* how many */
	bool failed, blocked;
};

/* Callbacks of a run. */
struct engine_listener {
	void *context;
	/* The decision is made; if it is to work, the work begins now. */
	void (*decided)(void *context, const struct flow_run *run, size_t i);
	void (*ended)(void *context, const struct flow_run *run, size_t i);
	/* A sentence about something that did not fail the work. */
	void (*remark)(void *context, const struct flow_run *run, size_t i,
	    const char *sentence);
	/* Called from time to time while nodes work. */
	void (*tick)(void *context, const struct flow_run *run);
	int tick_ms; /* -1: never */
};

/* Callbacks that do nothing. */
struct engine_listener engine_nobody(void);

struct engine {
	struct work *work;
	struct engine_options options;
	struct engine_listener listener;
	struct span run_id;
	bool want_all_values; /* they are printed */
	struct job *free_jobs;
	struct span creator;	     /* for all records */
	struct quiet_survey *survey; /* of the outermost run; or NULL */
	struct digest whole; /* digest of all workflow texts and the inputs */
};

/* A unique id for a run. */
struct span engine_run_id(struct arena *arena);

/*
 * Run BUNDLE with the inputs GIVEN.  NULL if it cannot be begun, for example
 * because the inputs do not fit: *WHY is a sentence.  Else the run, which has
 * ended.
 */
struct flow_run *engine_run(struct engine *engine, const struct bundle *bundle,
    const struct given_input *given, size_t ngiven, const char **why);

#endif
