#include "store/lock/ancestor.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "os/locks.h"
#include "os/process.h"

enum { STEPS_MAX = 10000 };

/* The parent of PID; 0 if it has none, or if the system does not say. */
static long
parent_of(long pid)
{
	struct process_facts facts;

	return process_ask(pid, &facts) ? facts.parent : 0;
}

bool
lock_is_dead(long pid)
{
	struct process_facts facts;

	if (kill((pid_t)pid, 0) != 0)
		return errno == ESRCH;
	return process_ask(pid, &facts) && facts.dead;
}

long
ancestor_find(bool (*holds)(void *context, long pid), void *context)
{
	long at = (long)getppid();

	for (int i = 0; at > 1 && i < STEPS_MAX; i++, at = parent_of(at))
		if (holds(context, at))
			return at;
	return 0;
}

static bool
is_that(void *pid, long ancestor)
{
	return ancestor == *(long *)pid;
}

static bool
is_ancestor(long pid)
{
	return ancestor_find(is_that, &pid) != 0;
}

long
lock_ancestor(int fd, long written)
{
	bool told;
	long found = locks_find(fd, is_ancestor, &told);

	return told || written <= 0 || !is_ancestor(written) ? found : written;
}
