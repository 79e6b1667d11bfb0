#include "store/lock/ancestor.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { LINE = 256, STEPS_MAX = 10000 };

/* PID's state and parent; false if the system does not say. */
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
	/*
	 * "12 (any name) S 3 ...": search from the end, as the name may hold
	 * ")".
	 */
	known = fgets(line, sizeof(line), file) != NULL &&
		(behind = strrchr(line, ')')) != NULL && strlen(behind) > 3;
	(void)fclose(file);
	if (known) {
		*state = behind[2];
		*parent = strtol(behind + 3, NULL, 10);
	}
	return known;
}

/* The parent of PID; 0 if it has none, or if the system does not say. */
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

/*
 * LINE is one of /proc/locks: "1: FLOCK ADVISORY WRITE 123 08:01:4567 0 EOF",
 * with the device's numbers in hexadecimal.  If it is about the file ST, the
 * result is the pid of the lock's holder, else 0.  "1: -> FLOCK ..." is a
 * process that waits, and gives 0.
 */
static long
holder_in(char *line, const struct stat *st)
{
	char *rest = NULL, *word = strtok_r(line, " ", &rest);
	unsigned long numbers[3];
	long pid;

	word = strtok_r(NULL, " ", &rest);
	if (word == NULL || strcmp(word, "FLOCK") != 0)
		return 0;
	for (int i = 0; i < 3 && word != NULL; i++)
		word = strtok_r(NULL, " ", &rest);
	pid = word != NULL ? strtol(word, NULL, 10) : 0;
	word = strtok_r(NULL, " ", &rest);
	for (int i = 0; i < 3; i++) {
		if (word == NULL)
			return 0;
		numbers[i] = strtoul(word, &word, i < 2 ? 16 : 10);
		word = *word == ':' ? word + 1 : i < 2 ? NULL : word;
	}
	return numbers[0] == major(st->st_dev) &&
		       numbers[1] == minor(st->st_dev) &&
		       numbers[2] == (unsigned long)st->st_ino
		   ? pid
		   : 0;
}

long
lock_ancestor(int fd, long written)
{
	char line[LINE];
	struct stat st;
	long pid, found = 0;
	bool told = false;
	FILE *file;

	if (fstat(fd, &st) != 0)
		return 0;
	file = fopen("/proc/locks", "re");
	while (file != NULL && found == 0 &&
	       fgets(line, sizeof(line), file) != NULL)
		if ((pid = holder_in(line, &st)) > 0) {
			told = true;
			found = is_ancestor(pid) ? pid : 0;
		}
	if (file != NULL)
		(void)fclose(file);
	return told || written <= 0 || !is_ancestor(written) ? found : written;
}
