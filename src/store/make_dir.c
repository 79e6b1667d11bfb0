#include "store/make_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
make(int at, const char *name, mode_t mode)
{
	return mkdirat(at, name, mode) == 0 || errno == EEXIST;
}

/* Has the umask taken rights from the owner? */
static bool
is_locked(int at, const char *name, mode_t mode)
{
	struct stat st;

	return fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(st.st_mode) && (mode & 0700 & ~st.st_mode) != 0;
}

bool
make_dir(int at, const char *name, mode_t mode)
{
	mode_t mask;
	bool made;

	if (mkdirat(at, name, mode) != 0)
		return errno == EEXIST;
	/* What was just made is empty, or it is somebody else's by now. */
	if (!is_locked(at, name, mode) || unlinkat(at, name, AT_REMOVEDIR) != 0)
		return true;
	mask = umask(0077);
	(void)umask(mask & 0077);
	made = make(at, name, mode);
	(void)umask(mask);
	return made;
}
