#include "os/open.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int
open_beneath(int root, const char *name)
{
	struct open_how how = {
	    .flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
	    .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	long fd;

	/* EAGAIN: something was moved while the kernel looked. */
	do
		fd = syscall(SYS_openat2, root, name, &how, sizeof(how));
	while (fd < 0 && (errno == EAGAIN || errno == EINTR));
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return open_by_steps(root, name);
	return (int)fd;
}

int
open_unnoticed(int dir, const char *name, int flags)
{
	return openat(dir, name, flags | O_NOATIME | O_CLOEXEC);
}

int
open_temporary(char *name)
{
	return mkostemp(name, O_CLOEXEC);
}

int
open_nameless(void)
{
	return memfd_create("readcache-input", MFD_CLOEXEC);
}
