#include "lock/ancestor.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { LINE = 256, STEPS_MAX = 10000 };

/* PID's state and parent; false if nobody knows. */
static bool
ask(long pid, char *state, long *parent)
{
	char path[64], line[LINE * 4];
	const char *behind;
	bool known;
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	/* "12 (any name) S 3 ...": the name may hold anything. */
	known = fgets(line, sizeof(line), file) != NULL &&
		(behind = strrchr(line, ')')) != NULL &&
		sscanf(behind, ") %c %ld", state, parent) == 2;
	(void)fclose(file);
	return known;
}

/* The parent of PID; 0: it has none, or nobody knows. */
static long
parent_of(long pid)
{
	long parent;
	char state;

	return ask(pid, &state, &parent) ? parent : 0;
}

bool
lock_is_dead(long pid)
{
	long parent;
	char state;

	if (kill((pid_t)pid, 0) != 0)
		return errno == ESRCH;
	return ask(pid, &state, &parent) && (state == 'Z' || state == 'X');
}

static bool
is_ancestor(long pid)
{
	long at = (long)getppid();

	for (int i = 0; at > 1 && i < STEPS_MAX; i++, at = parent_of(at))
		if (at == pid)
			return true;
	return false;
}

long
lock_ancestor(int fd, long written)
{
	unsigned major_number, minor_number;
	unsigned long inode;
	char line[LINE];
	struct stat st;
	long pid, found = 0;
	FILE *file;

	if (written > 0 && is_ancestor(written))
		return written;
	if (fstat(fd, &st) != 0 ||
	    (file = fopen("/proc/locks", "re")) == NULL)
		return 0;
	while (found == 0 && fgets(line, sizeof(line), file) != NULL)
		if (sscanf(line, "%*d: FLOCK %*s %*s %ld %x:%x:%lu", &pid,
			&major_number, &minor_number, &inode) == 4 &&
		    inode == (unsigned long)st.st_ino &&
		    major_number == major(st.st_dev) &&
		    minor_number == minor(st.st_dev) && is_ancestor(pid))
			found = pid;
	(void)fclose(file);
	return found;
}
