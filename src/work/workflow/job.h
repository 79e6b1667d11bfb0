/*
 * job.h -- a node at work.
 *
 * A node without files runs its command, or for a batch one command after the
 * other.  A node with files is done by stage/.  While it works it holds the
 * locks that keep another process from doing the same.
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
	struct buf out, err, json; /* output of its items so far */
	size_t told[SAID_STREAMS]; /* bytes of output a listener has reported */
	struct arena *room;	   /* for its commands; emptied at the end */
	bool is_roomed;		   /* its value or its plan is in ROOM */
	struct job *next;	   /* in the list of free jobs */
};

/* Open a job for node I, and close it: its value is kept, the rest is not. */
void job_open(struct flow_run *run, size_t i);
void job_close(struct flow_run *run, size_t i);

enum job_state {
	JOB_WORKS,   /* job->child runs */
	JOB_IS_DONE, /* it has ended, or there was nothing to run */
	JOB_IS_BUSY, /* another process works on it */
	JOB_FAILED   /* nodes[i].error says why */
};

/* Start the command of node I, a node without files. */
enum job_state job_start(struct flow_run *run, size_t i);

/*
 * The command of node I has ended.  JOB_WORKS if the next item of a batch was
 * started.  JOB_IS_DONE if all is done: the value is then set.
 */
enum job_state job_next(struct flow_run *run, size_t i);

/*
 * Plan, start and finish node I, a node with files.  job_plan_stage also sets
 * the verdict.
 */
enum job_state job_plan_stage(struct flow_run *run, size_t i);
enum job_state job_start_stage(
    struct flow_run *run, size_t i, enum lock_wait wait);
enum job_state job_finish_stage(struct flow_run *run, size_t i);

/* Take the value of node I, a node with files, if it is wanted and recorded. */
void job_take_stage(struct flow_run *run, size_t i);

/*
 * Keep the result of node I if what it depends on has not changed meanwhile,
 * note how it ended, and save that.
 */
void job_keep(struct flow_run *run, size_t i, struct judgement *judged);

/*
 * Note how node I, a node with files, ended.  The stage itself has kept the
 * rest.
 */
void job_note_stage(struct flow_run *run, size_t i);

/*
 * The command of node I and its input, after its params were resolved.  False:
 * nodes[i].error says why.
 */
bool job_command(struct flow_run *run, size_t i, struct resolver *r,
    struct span **words, size_t *n, struct span *input);

/*
 * Start COMMAND for node I; a large input goes through a file.  False if it
 * could not be started: see errno.
 */
bool job_exec(struct flow_run *run, size_t i, struct arena *arena,
    struct exec_command *command);

/* Node I, a node with files, as a stage.  False: nodes[i].error says why. */
bool job_stage(struct flow_run *run, size_t i, struct stage *stage);

/* BEFORE, then "exit status 3" or "ended by signal 9". */
const char *job_exit_text(
    const struct flow_run *run, const char *before, int status);

/* The context of job_tell_waiting, which is a lock_waiting. */
struct job_place {
	struct flow_run *run;
	size_t i;
};

/* Remark that the job at PLACE waits for the process HOLDER (0: unknown). */
void job_tell_waiting(void *place, long holder);

/*
 * The command of node I, whose words are ARGV, could not be started: see
 * errno.  Its first word may be a value, so the session does not name it.
 */
enum job_state job_not_started(
    struct flow_run *run, size_t i, const struct span *argv);

/* Set the error of node I to a sentence made of strings; NULL ends the list. */
__attribute__((sentinel)) enum job_state job_fail(
    struct flow_run *run, size_t i, ...);

#endif
