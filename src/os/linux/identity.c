#include "os/identity.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

bool
identity_of(int fd, struct identity *identity)
{
	struct statx st;

	/* Not every C library has a function for it. */
	if (syscall(SYS_statx, fd, "", AT_EMPTY_PATH,
		STATX_BASIC_STATS | STATX_BTIME, &st) != 0)
		return false;
	*identity = (struct identity){.inode = st.stx_ino,
	    .mode = st.stx_mode,
	    .owner = st.stx_uid,
	    .names = st.stx_nlink};
	if ((st.stx_mask & STATX_BTIME) != 0) {
		identity->born_s = (uint64_t)st.stx_btime.tv_sec;
		identity->born_ns = st.stx_btime.tv_nsec;
	}
	return true;
}
