#include "os/descriptor.h"

#include <errno.h>
#include <unistd.h>

bool
descriptor_path(int fd, char path[DESCRIPTOR_PATH])
{
	(void)fd;
	path[0] = '\0';
	errno = ENOSYS;
	return false;
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
