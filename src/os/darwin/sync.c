#include "os/sync.h"

#include <fcntl.h>
#include <unistd.h>

/* There sync does not wait; F_FULLFSYNC waits, for all that was told before. */
bool
sync_all(int fd)
{
	sync();
	return fcntl(fd, F_FULLFSYNC) == 0 || fsync(fd) == 0;
}

/* There fsync leaves it in the disk's own memory. */
bool
sync_file(int fd)
{
	return fcntl(fd, F_FULLFSYNC) == 0 || fsync(fd) == 0;
}
