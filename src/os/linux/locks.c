#include "os/locks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

enum { LINE = 256 };

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
locks_find(int fd, bool (*holds)(long pid), bool *told)
{
	char line[LINE];
	struct stat st;
	long pid, found = 0;
	FILE *file;

	*told = fstat(fd, &st) != 0; /* then nobody */
	if (*told)
		return 0;
	file = fopen("/proc/locks", "re");
	while (file != NULL && found == 0 &&
	       fgets(line, sizeof(line), file) != NULL)
		if ((pid = holder_in(line, &st)) > 0) {
			*told = true;
			found = holds(pid) ? pid : 0;
		}
	if (file != NULL)
		(void)fclose(file);
	return found;
}
