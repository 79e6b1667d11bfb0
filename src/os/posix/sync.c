#include "os/sync.h"

#include <unistd.h>

bool
sync_all(int fd)
{
	(void)fd;
	sync();
	return true;
}
