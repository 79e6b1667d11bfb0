#include "os/sync.h"

#include <unistd.h>

bool
sync_all(int fd)
{
	return syncfs(fd) == 0;
}

bool
sync_file(int fd)
{
	return fdatasync(fd) == 0;
}
