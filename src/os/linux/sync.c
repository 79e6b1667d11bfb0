#include "os/sync.h"

#include <unistd.h>

bool
sync_all(int fd)
{
	return syncfs(fd) == 0;
}
