/*
 * job.h -- a node at work.
 *
 * A node without files runs its command, or for a batch one command after the
 * other; a node with files does what stage/ says.  While it works it holds
 * the locks that keep another process from doing the same.
 */
#ifndef READCACHE_WORK_WORKFLOW_JOB_H
#define READCACHE_WORK_WORKFLOW_JOB_H

#include "work/exec/exec.h"
#include "work/workflow/steady.h"

struct job {
	struct judgement judged;  /* of a node without files */
	struct steady steady;	  /* what that depends on */
	struct stage_plan *plan;  /* of a node with files */
	struct exec_child *child; /* the command that runs now */
	struct lock_set *locks;
	struct span *items; /* of a batch */
	size_t nitems, done;
	struct buf out, err, json; /* what its items have given */
	size_t told[SAID_STREAMS]; /* of what its command says, by a listener */
	struct arena *room; /* for its commands; dropped when it has ended */
	bool is_roomed;	    /* its value is in there, or its plan */
	struct job *next;   /* of those that are free */
};

/* A job for node I, and the end of it: its value is kept, the rest not. */
void job_open(struct flow_run *run, size_t i);
void job_close(struct flow_run *run, size_t i);

enum job_state {
	JOB_WORKS,   /* job->child runs */
	JOB_IS_DONE, /* there was nothing to run */
	JOB_IS_BUSY, /* another process is at it */
	JOB_FAILED   /* nodes[i].error says why */
};

/* Start the command of node I, a node without files. */
enum job_state job_start(struct flow_run *run, size_t i);

/*
 * Its command has ended.  JOB_WORKS if the next item of a batch was started;
 * when it is done the value is set.
 */
enum job_state job_next(struct flow_run *run, size_t i);

/* The same for a node with files; its verdict is set first. */
enum job_state job_plan_stage(struct flow_run *run, size_t i);
enum job_state job_start_stage(
    struct flow_run *run, size_t i, enum lock_wait wait);
enum job_state job_finish_stage(struct flow_run *run, size_t i);

/* What it has given, if somebody looks at it and it is known. */
void job_take_stage(struct flow_run *run, size_t i);

/*
 * Keep the result of node I, if what it depends on has kept still, note how
 * it ended, and save that.
 */
void job_keep(struct flow_run *run, size_t i, struct judgement *judged);

/* Note how a node with files ended: the stage itself has kept the rest. */
void job_note_stage(struct flow_run *run, size_t i);

/* What node I runs and reads, once its params are resolved. */
bool job_command(struct flow_run *run, size_t i, struct resolver *r,
    struct span **words, size_t *n, struct span *input);

/*
 * Start COMMAND for node I, with a large input from a file; job->child, or
 * false as exec_start.
 */
bool job_exec(struct flow_run *run, size_t i, struct arena *arena,
    struct exec_command *command);

/* Node I, a node with files, as a stage; false: nodes[i].error says why. */
bool job_stage(struct flow_run *run, size_t i, struct stage *stage);

/* BEFORE and "exit status 3" or "ended by signal 9". */
const char *job_exit_text(
    const struct flow_run *run, const char *before, int status);

/* Where a job is, for job_tell_waiting (a lock_waiting). */
struct job_place {
	struct flow_run *run;
	size_t i;
};
void job_tell_waiting(void *place, long holder);

/* Fail node I with a sentence put together from strings, NULL at the end. */
__attribute__((sentinel)) enum job_state job_fail(
    struct flow_run *run, size_t i, ...);

#endif
