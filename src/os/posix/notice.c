#include "os/notice.h"

#include <errno.h>

int
notice_open(void)
{
	errno = ENOSYS;
	return -1;
}

int
notice_names(int fd, int dir)
{
	(void)fd;
	(void)dir;
	return -1;
}

int
notice_self(int fd, const char *name)
{
	(void)fd;
	(void)name;
	return -1;
}

int
notice_next(struct notices *notices, struct notice *notice)
{
	(void)notices;
	(void)notice;
	return -1;
}
