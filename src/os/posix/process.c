#include "os/process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* POSIX has only a program that says it. */
bool
process_ask(long pid, struct process_facts *facts)
{
	char command[64], line[64] = "";
	FILE *ps;

	(void)snprintf(
	    command, sizeof(command), "ps -o ppid= -p %ld 2>/dev/null", pid);
	/* NOLINTNEXTLINE(cert-env33-c): nothing of it comes from outside. */
	ps = popen(command, "r");
	if (ps == NULL)
		return false;
	(void)!fgets(line, sizeof(line), ps);
	(void)pclose(ps);
	*facts = (struct process_facts){strtol(line, NULL, 10), false};
	return facts->parent > 0;
}

bool
process_group_lives(pid_t group)
{
	return kill(-group, 0) == 0;
}

int
process_end_of(pid_t pid)
{
	(void)pid;
	return -1;
}

size_t
process_program(char *name, size_t size)
{
	(void)name;
	(void)size;
	return 0;
}
