#include "os/locks.h"

long
locks_find(int fd, bool (*holds)(long pid), bool *told)
{
	(void)fd;
	(void)holds;
	*told = false;
	return 0;
}
