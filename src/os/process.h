/*
 * process.h -- what the system says about processes.
 */
#ifndef READCACHE_OS_PROCESS_H
#define READCACHE_OS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * A descriptor that can be read after the child PID has ended, or -1 if there
 * is none.  To be closed.  Without it, who waits must also ask from time to
 * time. The twin has none; macOS has.
 */
int process_end_of(pid_t pid);

struct process_facts {
	long parent;
	bool dead; /* it has ended, and is not reaped yet */
};

/*
 * About the process PID.  False if the system does not say.  The twin asks
 * ps(1), which is slow, and takes all that it names for alive.
 */
bool process_ask(long pid, struct process_facts *facts);

/*
 * Is any process of GROUP alive?  The twin also counts the dead that are not
 * reaped yet.
 */
bool process_group_lives(pid_t group);

/*
 * The absolute name of the executable of this process: at most SIZE bytes,
 * without an end.  The result is its length; 0 if it is not known, and with
 * the twin always.
 */
size_t process_program(char *name, size_t size);

#endif
