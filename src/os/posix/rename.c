#include "os/rename.h"

#include <errno.h>

bool
rename_exchange(int dir, const char *one, const char *other)
{
	(void)dir;
	(void)one;
	(void)other;
	errno = ENOSYS;
	return false;
}

bool
rename_new(int dir, const char *from, const char *to)
{
	return rename_by_steps(dir, from, to);
}
