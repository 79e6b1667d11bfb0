/*
 * stage.h -- a piece of work with declared inputs and outputs.
 *
 * A stage is a command, what it reads (deps, code, params, environment,
 * fingerprints) and what it writes (outs).  It is done again only if one of
 * these is not what it was; otherwise its outputs and what it said come back.
 *
 *	struct stage stage = {...};                    describe it
 *	const char *wrong = stage_check(work, &stage); can it be meant?
 *	struct stage_plan *plan = stage_plan(work, &stage, &policy);
 *	stage_verdict(plan);                           the decision, and why
 *
 * Planning changes nothing in the tree and in the store, but for a note that
 * a record was used; of a work that was opened to look, not even that.  What
 * follows it:
 *
 *	if (stage_settle(plan, ...) == SETTLE_RUN) {
 *		... run the command, as stage_command(plan) says ...
 *		stage_finish(plan, exit, said);
 *	}
 *
 * stage_settle takes the locks, looks again if it had to wait, and then
 * either brings the outputs back (SETTLE_HIT) or moves the old ones aside and
 * leaves the command to the caller, so that several stages can run at once.
 * `stage_do` is all of it for one stage.
 *
 * The work is never failed by the store: what cannot be kept is a remark
 * (stage_remark), and the stage runs again next time.
 */
#ifndef READCACHE_WORK_STAGE_STAGE_H
#define READCACHE_WORK_STAGE_STAGE_H

#include "store/lock/lock.h"
#include "work/exec/exec.h"
#include "work/stage/work.h"

struct verdict;

/* One output: a file or a directory, relative to the work's root. */
struct stage_out {
	struct span path;
	enum { OUT_KEPT, OUT_NOT_KEPT } keep; /* as a blob, to be restored */
};

struct stage_param {
	struct span name;
	struct span json; /* canonical (json/canon.h) */
};

/*
 * Relative names are relative to the work's root, not to cwd.  Deps and code
 * are files, directories (with all that is in them) or, if no file has that
 * very name, patterns as of the fingerprint glob:.  Lists may be empty; their
 * order does not count, except that of the command's words.
 */
struct stage {
	struct span flow; /* whose stages have this name; "run" is run's */
	struct span name;
	struct span *argv; /* what is run; exec_shell for a shell's text */
	size_t argc;
	struct span cwd; /* absolute, and an input as it is */
	struct span *deps, *code;
	size_t ndeps, ncode;
	struct stage_out *outs;
	size_t nouts;
	struct stage_param *params;
	size_t nparams;
	struct span *env; /* names of variables; the command sees all others
			     too, but only these are inputs */
	size_t nenv;
	struct span *fingerprints; /* specs, see work/fingerprint */
	size_t nfingerprints;
	struct span input; /* standard input; empty: /dev/null */
};

/*
 * NULL, or a sentence (in the work's arena) that says what cannot be meant:
 * a bad name, an output outside the root, in the store or twice, an output
 * that is also an input, a path that is no UTF-8, an empty command.
 */
const char *stage_check(const struct work *work, const struct stage *stage);

/* The same for its deps, code and outputs alone. */
const char *stage_check_files(
    const struct work *work, const struct stage *stage);

enum stage_flags {
	STAGE_FORCE = 1,	 /* whatever is known, run it */
	STAGE_NO_COMMIT = 2,	 /* keep nothing of what is run */
	STAGE_KEEP_FAILURES = 4, /* a failure is a result like any other */
	STAGE_WANT_SAID = 8 /* what it said is needed, not only its outputs:
			       without its record it is run */
};

struct stage_policy {
	unsigned flags;	 /* of enum stage_flags */
	uint64_t ttl_ms; /* how old a result may be; 0: any age */
};

struct stage_plan; /* lives in the work's arena */

struct stage_plan *stage_plan(struct work *work, const struct stage *stage,
    const struct stage_policy *policy);

/*
 * The decision: hit or run, at which tier, and the reasons, with the file or
 * the parameter, old and new.  After stage_settle and stage_finish it is what
 * was really done.
 */
const struct verdict *stage_verdict(const struct stage_plan *plan);

/*
 * Does the work declare nothing that it reads, not even by a word that is the
 * name of a file?  Then it is repeated until its words or its program change.
 */
bool stage_declares_nothing(const struct stage_plan *plan);

/*
 * Of a work that was opened to look: what PLAN, whose decision is to reuse,
 * would bring back counts as there for all plans that are made after it.
 */
void stage_expect(const struct stage_plan *plan);

enum settle {
	SETTLE_HIT,   /* outputs are as they should be; stage_result has the
			 rest */
	SETTLE_RUN,   /* locks held, old outputs moved aside: run it */
	SETTLE_BUSY,  /* LOCK_TRY only: another process has its locks */
	SETTLE_FAILED /* it cannot be run here; a remark says why */
};

/* WAITING is told once if another process is at it (store/lock/lock.h). */
enum settle stage_settle(struct stage_plan *plan, enum lock_wait wait,
    lock_waiting *waiting, void *context);

/* What to run, after SETTLE_RUN. */
struct exec_command stage_command(const struct stage_plan *plan);

/*
 * The command has ended with EXIT and has SAID something: keep outputs,
 * record, lock and state, in this order, and release the locks.  False if
 * the work itself has failed: EXIT is not 0 or an output is not there; the old
 * outputs are then back.
 */
bool stage_finish(struct stage_plan *plan, int exit, struct said *said);

/*
 * Give up a plan after SETTLE_RUN without finishing it: old outputs come back,
 * locks go.
 */
void stage_abandon(struct stage_plan *plan);

/* What a stage said and how it ended, new or old. */
struct stage_result {
	int exit;
	struct span out, err;
	struct span order;   /* said.h */
	uint64_t created_ms; /* when it was really done */
	struct digest key;   /* of its record */
	bool recorded;	     /* there is such a record */
};

/* After SETTLE_HIT or stage_finish. */
const struct stage_result *stage_result(const struct stage_plan *plan);

/*
 * A sentence about something that went wrong without failing the work, or
 * NULL; call again for the next.
 */
const char *stage_remark(struct stage_plan *plan);

/*
 * Settle, run and finish.  As stage_finish; what could not be started has
 * the exit that exec_start gives, and a remark.
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
	CHECKOUT_SAME, /* was there already, identical */
	CHECKOUT_RESTORED,
	CHECKOUT_KEPT,	  /* differs, left alone */
	CHECKOUT_REFUSED, /* differs, and that is an error */
	CHECKOUT_NO_BLOB, /* its content is not in the store */
	CHECKOUT_FAILED	  /* could not be written; errno tells */
};

/*
 * Bring back output PATH as the stage's lock says.  Needs no plan; waits for
 * whoever is at it.
 */
enum checkout_done stage_checkout(struct work *work, struct span flow,
    struct span name, struct span path, enum checkout_want want);

/* The outputs that the stage's lock knows; 0 if there is no lock. */
size_t stage_locked_outs(
    struct work *work, struct span flow, struct span name, struct span **paths);

/*
 * Record the inputs and outputs as they are on disk now as what the stage
 * gives, without running it.  NULL, or a sentence: an output is missing, an
 * input cannot be read, or the store cannot be written.
 */
const char *stage_commit(struct work *work, const struct stage *stage,
    lock_waiting *waiting, void *context);

#endif
