/*
 * engine.h -- a workflow, run or looked at.
 *
 * Node by node, in an order in which each comes after those it waits for:
 * decide whether its result is kept and still holds (judge.h, or stage/ for a
 * node with files), else do its work and keep the result.  Several nodes may
 * work at once, decisions are made one at a time.
 *
 * Looking does the same without working: nothing is written, anywhere.
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
	bool no_cache;	      /* reuse nothing; results are kept */
	bool no_session;      /* the setting iteration-mode is off */
	struct names rerun;   /* nodes that are done again */
	struct names approve; /* approvals that are given */
	struct span only;     /* just this node; empty: all */
	struct span resume;   /* the run to go on with; empty: a new one */
	size_t jobs;	      /* nodes that work at the same time */
	uint64_t ttl_ms;      /* of results in a session; 0: any age */
	struct span agent; /* for sh: answers nodes of type agent; or empty */
};

enum outcome {
	OUTCOME_WAITING, /* at the end: it was not its turn */
	OUTCOME_WORKING,
	OUTCOME_REUSED,
	OUTCOME_DONE,
	OUTCOME_STALE, /* looking: it would be done */
	OUTCOME_FAILED,
	OUTCOME_BLOCKED /* a gate said no, or an approval is missing */
};

/* One node in one run. */
struct node_run {
	enum outcome outcome;
	struct verdict verdict;
	uint64_t began_us, took_us;
	uint64_t created_ms; /* when the result was made */
	const char *error;   /* why it failed or is blocked */
	bool is_stamped;
	struct digest stamp; /* of its result, see session.h */
	bool is_passed;
	struct digest passed; /* of a gate, for who only waits for it */
	struct span record;   /* of a node with files: its key, or empty */
	struct flow_run *inner;
	struct job *job; /* while it works */
};

/* One workflow in one run. */
struct flow_run {
	struct engine *engine;
	const struct bundle *bundle;
	struct flow_run *outer; /* the one that runs it, or NULL */
	const struct node *as;	/* the outer one's node */
	struct inputs inputs;
	struct flow_session session;
	struct node_run *nodes;
	struct value *values; /* of each node */
	bool *wanted;	      /* whose value or stamp somebody looks at */
	bool *skipped;	      /* nodes whose turn does not come */
	size_t *at_work;      /* the nodes that work now */
	size_t working;	      /* how many these are */
	bool failed, blocked;
};

/* Who wants to know. */
struct engine_listener {
	void *context;
	/* Decided, and about to work if the verdict says so. */
	void (*decided)(void *context, const struct flow_run *run, size_t i);
	void (*ended)(void *context, const struct flow_run *run, size_t i);
	/* A sentence about something that does not fail the work. */
	void (*remark)(void *context, const struct flow_run *run, size_t i,
	    const char *sentence);
	/* From time to time while nodes work. */
	void (*tick)(void *context, const struct flow_run *run);
	int tick_ms; /* -1: never */
};

/* Nobody. */
struct engine_listener engine_nobody(void);

struct engine {
	struct work *work;
	struct engine_options options;
	struct engine_listener listener;
	struct span run_id;
	bool want_all_values; /* somebody prints them */
	struct job *free_jobs;
	struct span creator; /* of all records */
	struct quiet_survey *survey; /* of the outermost run; or NULL */
	struct digest whole; /* the text of all workflows, and what was given */
};

/* A name for a run that nobody else has. */
struct span engine_run_id(struct arena *arena);

/*
 * Run BUNDLE with what was GIVEN for its inputs.  NULL if these do not fit:
 * *WHY is a sentence.  Else all that happened.
 */
struct flow_run *engine_run(struct engine *engine, const struct bundle *bundle,
    const struct given_input *given, size_t ngiven, const char **why);

#endif
