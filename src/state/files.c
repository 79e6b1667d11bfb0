#include "state/files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * By name and not by opening it: to close a file gives up all locks that
 * this process has on it, and LMDB has some.
 */
static bool
look(int root, const char *name, struct files_one *one)
{
	struct statx st;

	if (statx(root, name, AT_SYMLINK_NOFOLLOW,
		STATX_BASIC_STATS | STATX_BTIME, &st) != 0)
		return false;
	*one = (struct files_one){.inode = st.stx_ino};
	if ((st.stx_mask & STATX_BTIME) != 0) {
		one->born_s = (uint64_t)st.stx_btime.tv_sec;
		one->born_ns = st.stx_btime.tv_nsec;
	}
	/* A second name might be that of a file which is somebody's. */
	return S_ISREG(st.stx_mode) && st.stx_uid == geteuid() &&
	       st.stx_nlink == 1;
}

static bool
look_at_both(int root, struct files *files)
{
	return look(root, FILES_DATA, &files->data) &&
	       look(root, FILES_LOCK, &files->lock);
}

void
files_remove(int root)
{
	(void)unlinkat(root, FILES_DATA, 0);
	(void)unlinkat(root, FILES_LOCK, 0);
}

/* Of several processes one makes them; they belong together. */
static bool
make_both(int root, struct files *files)
{
	bool made;

	while (flock(root, LOCK_EX) != 0)
		if (errno != EINTR)
			return false;
	made = look_at_both(root, files);
	if (!made) {
		files_remove(root);
		made = dir_note(root, FILES_DATA, SPAN("")) &&
		       dir_note(root, FILES_LOCK, SPAN("")) &&
		       look_at_both(root, files);
	}
	(void)flock(root, LOCK_UN);
	return made;
}

bool
files_ready(int root, enum dir_want want, struct files *files)
{
	struct files_one *data = &files->data;

	/* Who only looks does not need the lock. */
	if (want == DIR_LOOK ? look(root, FILES_DATA, data)
			     : look_at_both(root, files))
		return true;
	return want == DIR_MAKE && make_both(root, files);
}

static bool
is_same(const struct files_one *a, const struct files_one *b)
{
	return a->inode == b->inode && a->born_s == b->born_s &&
	       a->born_ns == b->born_ns;
}

bool
files_same(int root, const struct files *files)
{
	struct files now;

	return look_at_both(root, &now) && is_same(&now.data, &files->data) &&
	       is_same(&now.lock, &files->lock);
}
