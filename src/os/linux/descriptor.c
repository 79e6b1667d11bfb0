#include "os/descriptor.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

bool
descriptor_path(int fd, char path[DESCRIPTOR_PATH])
{
	(void)snprintf(path, DESCRIPTOR_PATH, "/proc/self/fd/%d", fd);
	return true;
}

size_t
descriptor_where(int fd, char *where, size_t size)
{
	char link[DESCRIPTOR_PATH];
	ssize_t n;

	(void)descriptor_path(fd, link);
	n = readlink(link, where, size);
	if (n <= 0 || (size_t)n >= size)
		return 0;
	where[n] = '\0';
	return (size_t)n;
}

void
descriptor_close_from(int first)
{
	(void)syscall(SYS_close_range, (unsigned)first, ~0U, 0);
}
