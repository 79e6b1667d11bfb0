#include "store/state/names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "os/descriptor.h"

#define DIR_NAME "open"

/* Open the directory of the links; make it if it is missing.  -1: see errno. */
static int
open_dir(const struct store *store)
{
	struct buf path = buf_new(store->arena, store->keys.n + 8);
	struct stat st;
	int fd;

	buf_add(&path, store->keys);
	buf_add(&path, SPAN("/" DIR_NAME "\0"));
	if (mkdir(path.p, 0700) == 0)
		/* The umask may have taken rights from the owner. */
		(void)chmod(path.p, 0700);
	else if (errno != EEXIST)
		return -1;
	fd = open(path.p, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	    (st.st_mode & 0022) == 0)
		return fd;
	(void)close(fd);
	errno = EPERM;
	return -1;
}

/* Make sure that NAME in DIR is a link to the descriptor FD. */
static bool
have_link(int dir, const char *name, int fd)
{
	char target[DESCRIPTOR_PATH], found[NAMES_MAX];
	ssize_t n;

	if (!descriptor_path(fd, target))
		return false;
	n = readlinkat(dir, name, found, sizeof(found));
	if (n < 0 && errno == ENOENT && symlinkat(target, dir, name) == 0)
		return true;
	/* Another process may have made it meanwhile. */
	if (n < 0)
		n = readlinkat(dir, name, found, sizeof(found));
	if (n < 0)
		return false;
	errno = EPERM;
	return (size_t)n == strlen(target) && memcmp(found, target, (size_t)n) == 0;
}

static bool
have_links(int dir, const struct files *files)
{
	char name[NAMES_MAX];

	(void)snprintf(name, sizeof(name), "%d.%d", files->data, files->lock);
	if (!have_link(dir, name, files->data))
		return false;
	(void)snprintf(
	    name, sizeof(name), "%d.%d-lock", files->data, files->lock);
	return have_link(dir, name, files->lock);
}

bool
names_of(const struct store *store, const struct files *files, bool with_lock,
    struct state_names *names)
{
	char dir[DESCRIPTOR_PATH];

	names->dir = -1;
	if (!descriptor_path(files->data, names->path))
		return false;
	if (!with_lock)
		return true;
	names->dir = open_dir(store);
	if (names->dir < 0)
		return false;
	if (descriptor_path(names->dir, dir) && have_links(names->dir, files)) {
		(void)snprintf(names->path, sizeof(names->path), "%s/%d.%d",
		    dir, files->data, files->lock);
		return true;
	}
	names_end(names);
	return false;
}

void
names_end(struct state_names *names)
{
	if (names->dir >= 0)
		(void)close(names->dir);
	names->dir = -1;
}
