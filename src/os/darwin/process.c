#include "os/process.h"

#include <limits.h>
#include <mach-o/dyld.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/event.h>
#include <sys/sysctl.h>
#include <sys/time.h>
#include <unistd.h>

/* A pipe whose other end is closed: it can always be read. */
static int
always_ready(void)
{
	int ends[2];

	if (pipe(ends) != 0)
		return -1;
	(void)close(ends[1]);
	return ends[0];
}

/* A queue can be polled.  If the child has ended already, it has no event. */
int
process_end_of(pid_t pid)
{
	int queue = kqueue();
	struct kevent event;

	if (queue < 0)
		return -1;
	EV_SET(&event, (uintptr_t)pid, EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, NULL);
	if (kevent(queue, &event, 1, NULL, 0, NULL) == 0)
		return queue;
	(void)close(queue);
	return always_ready();
}

bool
process_ask(long pid, struct process_facts *facts)
{
	int what[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, (int)pid};
	struct kinfo_proc process;
	size_t n = sizeof(process);

	if (sysctl(what, 4, &process, &n, NULL, 0) != 0 || n != sizeof(process))
		return false;
	facts->parent = process.kp_eproc.e_ppid;
	facts->dead = process.kp_proc.p_stat == SZOMB;
	return true;
}

bool
process_group_lives(pid_t group)
{
	return kill(-group, 0) == 0;
}

size_t
process_program(char *name, size_t size)
{
	char found[PATH_MAX], real[PATH_MAX];
	uint32_t n = sizeof(found);
	size_t length;

	if (_NSGetExecutablePath(found, &n) != 0 ||
	    realpath(found, real) == NULL)
		return 0;
	length = strlen(real);
	if (length > size)
		return 0;
	memcpy(name, real, length);
	return length;
}
