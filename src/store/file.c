#include "store/file.h"

#include <unistd.h>

bool
file_is_ours(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_uid == geteuid();
}

bool
file_is_alone(int dir, const char *name, const struct stat *st)
{
	struct stat there;

	return fstatat(dir, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	       there.st_dev == st->st_dev && there.st_ino == st->st_ino &&
	       file_is_ours(&there) && there.st_nlink == 1;
}
