#include "os/descriptor.h"

#include <unistd.h>

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
