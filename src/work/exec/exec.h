/*
 * exec.h -- run commands, keep what they say.
 *
 * A child's standard output and error are read to their end (also if the
 * child has left somebody behind who writes on, as $(...) does in a shell),
 * passed through at once if that is wanted, and kept with the order in which
 * they came.  Children get their three descriptors and what this process was
 * itself given, but nothing that it has opened.
 *
 * Several children may run at once: start them, then call exec_wait until
 * all have ended.  They have a process group of their own.  While they run,
 * SIGINT, SIGTERM, SIGHUP and SIGQUIT are handed on to that group and end this
 * process only through them; if it is killed nevertheless, so is the group
 * (guard.h).  When a signal has come and the last of them has ended, whoever
 * they have left in the group is killed.
 *
 * How callers end then: exec_interrupted tells the signal; save what there is
 * to save and call exec_end_by with it, so that a shell sees what happened
 * (128 + n, and its own script stops).
 */
#ifndef READCACHE_WORK_EXEC_EXEC_H
#define READCACHE_WORK_EXEC_EXEC_H

#include "work/exec/said.h"

/* What a caller of other programs exits with, as env(1) and others do. */
enum { EXEC_OURSELVES = 125, EXEC_CANNOT = 126, EXEC_NOT_FOUND = 127 };

/* Whether this process says at once what the child says. */
enum exec_echo { EXEC_QUIET, EXEC_ECHO };

struct exec_command {
	struct span *argv; /* the program, looked for in PATH, and the rest */
	size_t argc;
	struct span cwd;   /* absolute */
	const char *const *variables; /* "NAME=value" each, then NULL: what is
					 not as in our environment; or NULL */
	struct span input; /* its standard input; empty: /dev/null */
	const int *input_from; /* a descriptor that gives INPUT, or NULL */
	enum exec_echo echo;
	const int *held; /* descriptors, of locks perhaps, that stay open until
			    it has ended, even if we are killed before */
	size_t nheld;
};

struct exec_child; /* opaque; lives in the arena it was started with */

/*
 * Start COMMAND.  NULL: it could not be started; *FAILURE is then
 * EXEC_CANNOT or EXEC_NOT_FOUND (or EXEC_OURSELVES, if the fault is not the
 * command's) and errno tells why.
 */
struct exec_child *exec_start(
    struct arena *arena, const struct exec_command *command, int *failure);

/*
 * Serve CHILDREN until one of them has ended, and give it; NULL after
 * TIMEOUT_MS (-1: never), or if none of them runs.  Children that have ended
 * before are passed over, as are NULLs.
 */
struct exec_child *exec_wait(
    struct exec_child **children, size_t n, int timeout_ms);

/* Of a child that has ended: 0 to 255; 128 + n if signal n ended it. */
int exec_status(const struct exec_child *child);

/* All it said; more than SAID_MAX is not kept, see said.h. */
struct said *exec_said(struct exec_child *child);

/* False if something it said could not be read, or not be passed on. */
bool exec_heard(const struct exec_child *child);

/* The last signal that was sent to this process while children ran, or 0. */
int exec_interrupted(void);

/*
 * End this process by signal NUMBER, as it would have ended had it no
 * children.  Comes back only if NUMBER is ignored.
 */
void exec_end_by(int number);

/* Ask CHILD to end (SIGTERM); it still has to be waited for. */
void exec_stop(struct exec_child *child);

/* The words that make sh run TEXT: "sh", "-c", TEXT. */
struct span *exec_shell(struct arena *arena, struct span text);

#endif
