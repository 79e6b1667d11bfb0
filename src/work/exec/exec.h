/*
 * exec.h -- run commands and keep their output.
 *
 * A child's standard output and error are read to their end, even if the child
 * has left a process behind that still writes to them (as $(...) does in a
 * shell).  They are passed through at once if wanted, and kept with the order
 * in which they came.  Children inherit the descriptors that this process was
 * started with, but none that it has opened itself.
 *
 * Several children may run at once: start them, then call exec_wait until all
 * have ended.  They have a process group of their own.  While they run,
 * SIGINT, SIGTERM, SIGHUP and SIGQUIT are passed to that group instead of
 * ending this process.  If this process is killed, the group is killed too
 * (guard.h).  If a signal has come, whatever is left in the group is killed
 * when the last child has ended.
 *
 * A caller should then ask exec_interrupted for the signal, save what it has
 * to save, and call exec_end_by with it.  So a shell sees what happened: the
 * status is 128 + n, and a script stops.
 */
#ifndef READCACHE_WORK_EXEC_EXEC_H
#define READCACHE_WORK_EXEC_EXEC_H

#include "work/exec/said.h"

/*
 * Exit statuses of a program that runs others, as env(1) and others have them.
 */
enum { EXEC_OURSELVES = 125, EXEC_CANNOT = 126, EXEC_NOT_FOUND = 127 };

/* Whether the child's output is also written to our own at once. */
enum exec_echo { EXEC_QUIET, EXEC_ECHO };

struct exec_command {
	struct span *argv; /* the program, found in PATH, and its arguments */
	size_t argc;
	struct span cwd;   /* absolute */
	/*
	 * What differs from our environment: "NAME=value" each, then NULL.
	 * May be NULL.
	 */
	const char *const *variables;
	struct span input; /* standard input; empty: /dev/null */
	const int *input_from; /* a descriptor to use as input, or NULL */
	enum exec_echo echo;
	/*
	 * Descriptors, such as locks, that stay open until the command has
	 * ended, even if we are killed before.
	 */
	const int *held;
	size_t nheld;
};

struct exec_child; /* opaque; lives in the arena it was started with */

/*
 * Start COMMAND.  NULL if it could not be started: see errno.  *FAILURE is
 * then EXEC_CANNOT, EXEC_NOT_FOUND, or EXEC_OURSELVES if it is not the
 * command's fault.
 */
struct exec_child *exec_start(
    struct arena *arena, const struct exec_command *command, int *failure);

/*
 * Serve CHILDREN until one of them has ended, and return it.  NULL after
 * TIMEOUT_MS (-1: no timeout), or if none of them runs.  NULLs and children
 * that have already ended are skipped.
 */
struct exec_child *exec_wait(
    struct exec_child **children, size_t n, int timeout_ms);

/*
 * The status of a child that has ended: 0 to 255; 128 + n if signal n ended
 * it.
 */
int exec_status(const struct exec_child *child);

/* The output of CHILD.  More than SAID_MAX is not kept; see said.h. */
struct said *exec_said(struct exec_child *child);

/* False if some output could not be read, or could not be passed on. */
bool exec_heard(const struct exec_child *child);

/* The last signal that came to this process while children ran, or 0. */
int exec_interrupted(void);

/*
 * End this process by signal NUMBER, as if it had never been caught.  Returns
 * only if the default of NUMBER is to ignore it.
 */
void exec_end_by(int number);

/* Ask CHILD to end (SIGTERM).  It still has to be waited for. */
void exec_stop(struct exec_child *child);

/* The words of a command by which sh runs TEXT: "sh", "-c", TEXT. */
struct span *exec_shell(struct arena *arena, struct span text);

#endif
