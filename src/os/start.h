/*
 * start.h -- start another program.
 */
#ifndef READCACHE_OS_START_H
#define READCACHE_OS_START_H

#include <signal.h>
#include <sys/types.h>

/* What is to be started. */
struct start {
	const char *const *argv; /* the program, found by PATH; then NULL */
	char *const *environment;
	const char *cwd;
	int streams[3];	      /* become its descriptors 0, 1 and 2 */
	pid_t group;	      /* the process group to be in; 0: its own */
	const sigset_t *mask; /* of signals */
};

/*
 * Start a program.  SIGPIPE gets its default action.  0 and *PID, or the errno
 * by which it failed; also if the program cannot be found or executed.
 *
 * Linux does it by posix_spawn, which does not copy this process.  POSIX cannot
 * start a program in another directory that way, so the twin forks.
 */
int start_program(const struct start *start, pid_t *pid);

#endif
