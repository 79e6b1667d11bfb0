#include "os/sync.h"

#include <unistd.h>

bool
sync_all(int fd)
{
	(void)fd;
	sync();
	return true;
}

bool
sync_file(int fd)
{
	return fdatasync(fd) == 0;
}
