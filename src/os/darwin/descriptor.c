#include "os/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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
	char room[PATH_MAX];
	size_t n;

	if (fcntl(fd, F_GETPATH, room) != 0)
		return 0;
	n = strlen(room);
	if (n >= size)
		return 0;
	memcpy(where, room, n + 1);
	return n;
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
