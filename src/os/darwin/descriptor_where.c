#include "os/descriptor.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

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
