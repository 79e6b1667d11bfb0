#include "os/identity.h"

#include <sys/stat.h>

bool
identity_of(int fd, struct identity *identity)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return false;
	*identity = (struct identity){.inode = (uint64_t)st.st_ino,
	    .born_s = (uint64_t)st.st_birthtimespec.tv_sec,
	    .born_ns = (uint64_t)st.st_birthtimespec.tv_nsec,
	    .mode = st.st_mode,
	    .owner = st.st_uid,
	    .names = (uint64_t)st.st_nlink};
	return true;
}
