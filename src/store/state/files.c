#include "store/state/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/slurp.h"
#include "os/identity.h"
#include "store/owner.h"

enum { FILE_MODE = 0600 };

/* What the mac in the third file is about. */
struct made_files {
	struct made_one {
		uint64_t inode, born_s, born_ns;
	} data, lock;
};

/* ---- opening them ---- */

/* Which file is FD?  False if it is not a regular file of ours. */
static bool
identify(int fd, struct made_one *one)
{
	struct identity identity;

	if (fd < 0 || !identity_of(fd, &identity))
		return false;
	*one = (struct made_one){
	    identity.inode, identity.born_s, identity.born_ns};
	/* A second name may mean that it is somebody's file. */
	return S_ISREG(identity.mode) && identity.owner == geteuid() &&
	       identity.names == 1;
}

static int
open_one(int root, const char *name)
{
	return openat(root, name,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* The descriptor stays open: the name may lead to another file later. */
static int
make_one(int root, const char *name)
{
	int fd = openat(root, name,
	    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);

	/* The umask may have taken rights from the owner. */
	if (fd >= 0)
		(void)fchmod(fd, FILE_MODE);
	return fd;
}

void
files_close(struct files *files)
{
	if (files->data >= 0)
		(void)close(files->data);
	if (files->lock >= 0)
		(void)close(files->lock);
	*files = (struct files){-1, -1};
}

/* ---- which were made here ---- */

static struct digest
mac_of_made(const struct store *store, const struct made_files *made)
{
	const struct span parts[] = {SPAN("state"),
	    {(const char *)made, sizeof(*made)}};

	return mac_of(store->key, parts, 2);
}

/* Are these the two files that the third file is about? */
static bool
were_made_here(
    const struct store *store, int root, const struct made_files *made)
{
	int fd = openat(root, FILES_OWN,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct digest right = mac_of_made(store, made), said;
	bool same;

	if (fd < 0)
		return false;
	same = slurp_at(fd, (char *)said.bytes, DIGEST_BYTES, 0) &&
	       digest_eq(&said, &right);
	(void)close(fd);
	return same;
}

static bool
identify_both(const struct files *files, struct made_files *made)
{
	return identify(files->data, &made->data) &&
	       identify(files->lock, &made->lock);
}

/* Open both files.  False, with none open, if they were not made here. */
static bool
open_good(const struct store *store, int root, struct files *files)
{
	struct made_files made;

	files->data = open_one(root, FILES_DATA);
	files->lock = open_one(root, FILES_LOCK);
	if (identify_both(files, &made) && were_made_here(store, root, &made))
		return true;
	files_close(files);
	return false;
}

static bool
say_made(const struct store *store, int root, const struct made_files *made)
{
	struct digest mac = mac_of_made(store, made);

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

/* Make both files anew.  False, with none open, if that is not possible. */
static bool
make_new(const struct store *store, int root, struct files *files)
{
	struct made_files made;

	files_remove(root);
	files->data = make_one(root, FILES_DATA);
	files->lock = make_one(root, FILES_LOCK);
	if (identify_both(files, &made) && say_made(store, root, &made))
		return true;
	files_close(files);
	return false;
}

/* One process makes them while others wait: both must be from the same one. */
static bool
make_both(const struct store *store, int root, struct files *files)
{
	bool made;

	while (flock(root, LOCK_EX) != 0)
		if (errno != EINTR)
			return false;
	made = open_good(store, root, files) || make_new(store, root, files);
	(void)flock(root, LOCK_UN);
	return made;
}

bool
files_open(struct store *store, int root, enum dir_want want,
    struct files *files)
{
	*files = (struct files){-1, -1};
	if (owner_ask(store, root, want) != OWNER_OURS ||
	    !owner_key(store, want))
		return false;
	return open_good(store, root, files) ||
	       (want == DIR_MAKE && make_both(store, root, files));
}
