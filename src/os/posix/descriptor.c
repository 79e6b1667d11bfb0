#include "os/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool
descriptor_path(int fd, char path[DESCRIPTOR_PATH])
{
	(void)fd;
	path[0] = '\0';
	errno = ENOSYS;
	return false;
}

size_t
descriptor_where(int fd, char *where, size_t size)
{
	int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool known;

	if (here < 0)
		return 0;
	known = fchdir(fd) == 0 && getcwd(where, size) != NULL;
	/* To be somewhere else from now on would be worse than to end. */
	if (fchdir(here) != 0)
		_exit(125);
	(void)close(here);
	return known && where[0] == '/' ? strlen(where) : 0;
}

void
descriptor_close_from(int first)
{
	long limit = sysconf(_SC_OPEN_MAX);

	if (limit < 0 || limit > 65536)
		limit = 65536;
	for (int fd = first; fd < (int)limit; fd++)
		(void)close(fd);
}
