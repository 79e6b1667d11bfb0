#include "os/process.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int
process_end_of(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

/*
 * "12 (any name) S 3 4 ...": its state, its parent, its group.  Search from the
 * end, as the name may hold ")".
 */
static bool
read_stat(const char *pid, char *state, long *parent, long *group)
{
	char path[300], line[1024];
	char *after;
	bool known;
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	known = fgets(line, sizeof(line), file) != NULL &&
		(after = strrchr(line, ')')) != NULL && strlen(after) > 3;
	(void)fclose(file);
	if (known) {
		*state = after[2];
		*parent = strtol(after + 3, &after, 10);
		*group = strtol(after, NULL, 10);
	}
	return known;
}

bool
process_ask(long pid, struct process_facts *facts)
{
	char name[32], state;
	long group;

	(void)snprintf(name, sizeof(name), "%ld", pid);
	if (!read_stat(name, &state, &facts->parent, &group))
		return false;
	facts->dead = state == 'Z' || state == 'X';
	return true;
}

static bool
is_alive_in(const char *name, pid_t group)
{
	long parent, its;
	char state;

	return read_stat(name, &state, &parent, &its) && its == (long)group &&
	       state != 'Z' && state != 'X';
}

bool
process_group_lives(pid_t group)
{
	DIR *processes = opendir("/proc");
	const struct dirent *entry;
	bool found = false;

	if (processes == NULL)
		return kill(-group, 0) == 0;
	while (!found && (entry = readdir(processes)) != NULL)
		found = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
			is_alive_in(entry->d_name, group);
	(void)closedir(processes);
	return found;
}

size_t
process_program(char *name, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", name, size);

	return n > 0 ? (size_t)n : 0;
}
