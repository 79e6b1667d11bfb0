#include "os/rename.h"

#include <errno.h>
#include <stdio.h>

bool
rename_exchange(int dir, const char *one, const char *other)
{
	return renameatx_np(dir, one, dir, other, RENAME_SWAP) == 0;
}

bool
rename_new(int dir, const char *from, const char *to)
{
	if (renameatx_np(dir, from, dir, to, RENAME_EXCL) == 0)
		return true;
	if (errno != EINVAL && errno != ENOTSUP)
		return false;
	return rename_by_steps(dir, from, to);
}
