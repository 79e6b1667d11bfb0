#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/rename.h"

bool
rename_by_steps(int dir, const char *from, const char *to)
{
	struct stat st;

	if (fstatat(dir, from, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return false;
	if (!S_ISDIR(st.st_mode)) {
		if (linkat(dir, from, dir, to, 0) == 0)
			return unlinkat(dir, from, 0) == 0;
		if (errno == EEXIST)
			return false;
		/* This file system has no second names. */
	}
	if (fstatat(dir, to, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		errno = EEXIST;
		return false;
	}
	return errno == ENOENT && renameat(dir, from, dir, to) == 0;
}
