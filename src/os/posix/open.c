#include "os/open.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int
open_beneath(int root, const char *name)
{
	return open_by_steps(root, name);
}

int
open_unnoticed(int dir, const char *name, int flags)
{
	return openat(dir, name, flags | O_CLOEXEC);
}

/* Another thread could exec before the second call: this program has none. */
int
open_temporary(char *name)
{
	int fd = mkstemp(name);

	if (fd >= 0)
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

int
open_nameless(void)
{
	const char *dir = getenv("TMPDIR");
	char name[PATH_MAX];
	int fd;

	if (dir == NULL || dir[0] != '/')
		dir = "/tmp";
	if (snprintf(name, sizeof(name), "%s/readcache-XXXXXX", dir) >=
	    (int)sizeof(name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = open_temporary(name);
	if (fd >= 0)
		(void)unlink(name);
	return fd;
}
