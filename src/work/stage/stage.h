/*
 * stage.h -- a piece of work with declared inputs and outputs.
 *
 * A stage is a command, what it reads (deps, code, params, environment,
 * fingerprints) and what it writes (outs).  It is run again only if one of
 * these has changed.  Otherwise its outs and its output are brought back.
 *
 *	struct stage stage = {...};                    describe it
 *	const char *wrong = stage_check(work, &stage); is it valid?
 *	struct stage_plan *plan = stage_plan(work, &stage, &policy);
 *	stage_verdict(plan);                           the decision, and why
 *
 * Planning changes nothing in the tree and in the store, except a note that a
 * record was used (and not even that if the work was opened with DIR_LOOK).
 * What follows:
 *
 *	if (stage_settle(plan, ...) == SETTLE_RUN) {
 *		... run the command, as stage_command(plan) says ...
 *		stage_finish(plan, exit, said);
 *	}
 *
 * stage_settle takes the locks and decides again if it had to wait.  Then it
 * brings the outputs back (SETTLE_HIT), or it moves the old ones aside and
 * leaves running the command to the caller, so that several stages can run at
 * once.  stage_do does all of it for one stage.
 *
 * A failure of the store never fails the work: what cannot be kept is remarked
 * (stage_remark), and the stage runs again next time.
 */
#ifndef READCACHE_WORK_STAGE_STAGE_H
#define READCACHE_WORK_STAGE_STAGE_H

#include "store/lock/lock.h"
#include "work/exec/exec.h"
#include "work/stage/work.h"

struct verdict;

/* An output: a file or a directory, relative to the work's root. */
struct stage_out {
	struct span path;
	enum { OUT_KEPT, OUT_NOT_KEPT } keep; /* as a blob, to be restored */
};

struct stage_param {
	struct span name;
	struct span json; /* canonical (json/canon.h) */
	bool secret;	  /* keep only its hash, and tell only its name */
};

/*
 * Relative names are relative to the work's root, not to cwd.  Deps and code
 * are files, directories with all that is in them, or, if no file has exactly
 * that name, patterns as of the fingerprint glob:.  Lists may be empty.  Their
 * order does not count, except that of the command's words.
 */
struct stage {
	struct span flow; /* namespace of NAME; "run" for the command run */
	struct span name;
	struct span *argv; /* the command; see exec_shell for shell text */
	size_t argc;
	struct span cwd; /* absolute; it is an input */
	struct span *deps, *code;
	size_t ndeps, ncode;
	struct stage_out *outs;
	size_t nouts;
	struct stage_param *params;
	size_t nparams;
	/*
	 * Names of variables that are inputs.  The command sees all others
	 * too.
	 */
	struct span *env;
	size_t nenv;
	struct span *fingerprints; /* specs, see work/fingerprint */
	size_t nfingerprints;
	struct span input; /* standard input; empty: /dev/null */
};

/*
 * Check STAGE.  NULL if it is valid, else a sentence in the work's arena: a
 * bad name; an output that is outside of the root, in the store, or named
 * twice; an output that is also an input; a path that is not UTF-8; an empty
 * command.
 */
const char *stage_check(const struct work *work, const struct stage *stage);

/*
 * Check only the deps, code and outputs of STAGE.  NULL if they are valid,
 * else a sentence in the work's arena.
 */
const char *stage_check_files(
    const struct work *work, const struct stage *stage);

enum stage_flags {
	STAGE_FORCE = 1,	 /* run it, whatever is known */
	STAGE_NO_COMMIT = 2,	 /* do not keep the result */
	STAGE_KEEP_FAILURES = 4, /* a failure is a result like any other */
	/*
	 * Its output (said) is needed, not only its outs: without a record,
	 * run it.
	 */
	STAGE_WANT_SAID = 8
};

struct stage_policy {
	unsigned flags;	 /* of enum stage_flags */
	uint64_t ttl_ms; /* how old a result may be; 0: any age */
};

struct stage_plan; /* lives in the work's arena */

/*
 * Decide what to do with STAGE, which must be valid.  STAGE must live as long
 * as the plan.
 */
struct stage_plan *stage_plan(struct work *work, const struct stage *stage,
    const struct stage_policy *policy);

/*
 * The decision: hit or run, at which tier, and the reasons with the file or
 * parameter, old and new.  After stage_settle and stage_finish it says what
 * was really done.
 */
const struct verdict *stage_verdict(const struct stage_plan *plan);

/*
 * Does the stage declare nothing that it reads, and is no word of its command
 * the name of a file?  Then its result is reused until its words or its
 * program change.
 */
bool stage_declares_nothing(const struct stage_plan *plan);

/*
 * For a work that was opened with DIR_LOOK, and a PLAN whose decision is to
 * reuse: the outputs that PLAN would bring back count as present for all plans
 * that are made later.
 */
void stage_expect(const struct stage_plan *plan);

enum settle {
	/* The outputs are as they should be; stage_result has the rest. */
	SETTLE_HIT,
	SETTLE_RUN,   /* locks held, old outputs moved aside: run it */
	SETTLE_BUSY,  /* LOCK_TRY only: another process has a lock */
	SETTLE_FAILED /* it cannot be run here; a remark says why */
};

/*
 * Take the locks and bring the outputs back, or prepare a run.  WAITING is
 * called once if another process holds a lock (store/lock/lock.h).
 */
enum settle stage_settle(struct stage_plan *plan, enum lock_wait wait,
    lock_waiting *waiting, void *context);

/* The command to run after SETTLE_RUN. */
struct exec_command stage_command(const struct stage_plan *plan);

/*
 * The command has ended with EXIT and the output SAID.  Keep outputs, record,
 * lock and state, in this order, and release the locks.  False if the work
 * itself failed: EXIT is not 0, or an output is missing.  The old outputs are
 * then back.
 */
bool stage_finish(struct stage_plan *plan, int exit, struct said *said);

/*
 * Give up a plan after SETTLE_RUN without finishing it: bring the old outputs
 * back and release the locks.
 */
void stage_abandon(struct stage_plan *plan);

/* The output of a stage and how it ended, now or earlier. */
struct stage_result {
	int exit;
	struct span out, err;
	struct span order;   /* of OUT and ERR: said.h */
	uint64_t created_ms; /* when it was really done */
	struct digest key;   /* of its record */
	bool recorded;	     /* there is such a record */
};

/* Valid after SETTLE_HIT or stage_finish. */
const struct stage_result *stage_result(const struct stage_plan *plan);

/*
 * A sentence about something that went wrong but did not fail the work.  NULL
 * if there are no more; each call gives the next one.
 */
const char *stage_remark(struct stage_plan *plan);

/*
 * Settle, run and finish PLAN.  The result is that of stage_finish.  If the
 * command could not be started, the exit is *FAILURE of exec_start, and a
 * remark says why.
 */
bool stage_do(struct stage_plan *plan, enum exec_echo echo,
    lock_waiting *waiting, void *context);

/* ---- without running ---- */

enum checkout_want {
	CHECKOUT_STRICT,       /* a file that differs is an error */
	CHECKOUT_ONLY_MISSING, /* a file that is there is left alone */
	CHECKOUT_FORCE	       /* a file that differs is replaced */
};

enum checkout_done {
	CHECKOUT_SAME, /* it was there already, identical */
	CHECKOUT_RESTORED,
	CHECKOUT_KEPT,	  /* it differs and was left alone */
	CHECKOUT_REFUSED, /* it differs, which is an error */
	CHECKOUT_NO_BLOB, /* its content is not in the store */
	CHECKOUT_FAILED	  /* it could not be written; see errno */
};

/*
 * Bring back the output PATH as the lock of the stage says.  Needs no plan.
 * Waits for other processes that work on PATH.  What is replaced and not ours
 * is kept beside it (aside.h): *REMARK is the sentence that says so, or NULL.
 */
enum checkout_done stage_checkout(struct work *work, struct span flow,
    struct span name, struct span path, enum checkout_want want,
    const char **remark);

/* The outputs that the stage's lock has; 0 if there is no lock. */
size_t stage_locked_outs(
    struct work *work, struct span flow, struct span name, struct span **paths);

/*
 * Record the inputs and outputs that are on disk now as a result of the stage,
 * without running it.  NULL, or a sentence: an output is missing, an input
 * cannot be read, or the store cannot be written.
 */
const char *stage_commit(struct work *work, const struct stage *stage,
    lock_waiting *waiting, void *context);

#endif
