#include "os/ranges.h"

#include <errno.h>

int
ranges_lock(int fd, const struct byte_range *range, enum range_wait wait)
{
	(void)fd;
	(void)range;
	(void)wait;
	return ENOSYS;
}

bool
ranges_find(int fd, const struct byte_range *range, struct byte_range *found)
{
	(void)fd;
	(void)range;
	(void)found;
	return false;
}

void
ranges_unlock(int fd)
{
	(void)fd;
}

bool
ranges_has(int fd, long pid, uint64_t start)
{
	(void)fd;
	(void)pid;
	(void)start;
	return true;
}
