#include "os/rename.h"

#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef RENAME_NOREPLACE /* musl has neither the flags nor the function */
#define RENAME_NOREPLACE (1 << 0)
#define RENAME_EXCHANGE (1 << 1)

static int
renameat2(
    int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}
#endif

bool
rename_exchange(int dir, const char *one, const char *other)
{
	return renameat2(dir, one, dir, other, RENAME_EXCHANGE) == 0;
}

bool
rename_new(int dir, const char *from, const char *to)
{
	if (renameat2(dir, from, dir, to, RENAME_NOREPLACE) == 0)
		return true;
	if (errno != EINVAL && errno != ENOSYS)
		return false;
	return rename_by_steps(dir, from, to);
}
