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

void
descriptor_close_from(int first)
{
	(void)syscall(SYS_close_range, (unsigned)first, ~0U, 0);
}
