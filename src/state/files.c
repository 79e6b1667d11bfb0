#include "state/files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/slurp.h"
#include "store/owner.h"

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

/* ---- which were made here ---- */

static struct digest
mac_of_files(const struct store *store, const struct files *files)
{
	const struct span parts[] = {SPAN("state"),
	    {(const char *)files, sizeof(*files)}};

	return mac_of(store->key, parts, 2);
}

/* Are FILES the ones that the third file speaks of? */
static bool
were_made_here(const struct store *store, int root, const struct files *files)
{
	int fd = openat(root, FILES_OWN,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct digest right = mac_of_files(store, files), said;
	bool same;

	if (fd < 0)
		return false;
	same = slurp_at(fd, (char *)said.bytes, DIGEST_BYTES, 0) &&
	       digest_eq(&said, &right);
	(void)close(fd);
	return same;
}

static bool
are_good(const struct store *store, int root, struct files *files)
{
	return look_at_both(root, files) && were_made_here(store, root, files);
}

static bool
say_made(const struct store *store, int root, const struct files *files)
{
	struct digest mac = mac_of_files(store, files);

	return dir_note(root, FILES_OWN,
	    (struct span){(const char *)mac.bytes, DIGEST_BYTES});
}

/* ---- making them ---- */

void
files_remove(int root)
{
	(void)unlinkat(root, FILES_OWN, 0);
	(void)unlinkat(root, FILES_DATA, 0);
	(void)unlinkat(root, FILES_LOCK, 0);
}

/* Of several processes one makes them; they belong together. */
static bool
make_both(const struct store *store, int root, struct files *files)
{
	bool made;

	while (flock(root, LOCK_EX) != 0)
		if (errno != EINTR)
			return false;
	made = are_good(store, root, files);
	if (!made) {
		files_remove(root);
		made = dir_note(root, FILES_DATA, SPAN("")) &&
		       dir_note(root, FILES_LOCK, SPAN("")) &&
		       look_at_both(root, files) &&
		       say_made(store, root, files);
	}
	(void)flock(root, LOCK_UN);
	return made;
}

bool
files_ready(struct store *store, int root, enum dir_want want,
    struct files *files)
{
	if (owner_ask(store, root, want) != OWNER_OURS ||
	    !owner_key(store, want))
		return false;
	return are_good(store, root, files) ||
	       (want == DIR_MAKE && make_both(store, root, files));
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
