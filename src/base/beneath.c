#include "base/beneath.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/bytes.h"
#include "os/open.h"

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

/* ---- opening ---- */

int
beneath_dir_by_steps(struct arena *arena, int root, struct span path)
{
	return open_by_steps(root, arena_cstr(arena, path));
}

int
beneath_dir(struct arena *arena, int root, struct span path)
{
	return open_beneath(root, path.n > 0 ? arena_cstr(arena, path) : ".");
}

/* The part of PATH before its last slash, or "". */
static struct span
above(struct span path)
{
	const char *slash = bytes_last(path.p, '/', path.n);

	return (struct span){
	    path.p, slash != NULL ? (size_t)(slash - path.p) : 0};
}

static const char *
last_name(struct arena *arena, struct span path)
{
	struct span dir = above(path);

	return arena_cstr(arena, span_from(path, dir.n > 0 ? dir.n + 1 : 0));
}

/* As beneath_dir, but missing directories are made. */
static int
make_dir(struct arena *arena, int root, struct span path)
{
	int fd = beneath_dir(arena, root, path), parent;

	if (fd >= 0 || errno != ENOENT || path.n == 0)
		return fd;
	parent = make_dir(arena, root, above(path));
	if (parent < 0)
		return -1;
	if (mkdirat(parent, last_name(arena, path), 0777) == 0 ||
	    errno == EEXIST)
		fd = beneath_dir(arena, root, path);
	(void)close(parent);
	return fd;
}

bool
beneath_go(struct arena *arena, int root, struct span path,
    enum beneath_want want, struct beneath *place)
{
	struct span dir = above(path);

	place->name = last_name(arena, path);
	place->dir = want == BENEATH_MAKE ? make_dir(arena, root, dir)
					  : beneath_dir(arena, root, dir);
	return place->dir >= 0;
}

void
beneath_close(struct beneath *place)
{
	if (place->dir >= 0)
		(void)close(place->dir);
	place->dir = -1;
}

/* ---- removing ---- */

static bool remove_below(int dir, const char *name);

/* Remove everything in the directory FD, and close FD. */
static bool
empty_directory(int fd)
{
	DIR *stream = fdopendir(fd);
	const struct dirent *entry;
	bool done = true;

	if (stream == NULL) {
		(void)close(fd);
		return false;
	}
	while (done && (entry = readdir(stream)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			done = beneath_remove(fd, entry->d_name);
	(void)closedir(stream);
	return done;
}

static bool
remove_below(int dir, const char *name)
{
	int fd = openat(dir, name, DIR_FLAGS | O_NOFOLLOW);

	return fd >= 0 && empty_directory(fd) &&
	       (unlinkat(dir, name, AT_REMOVEDIR) == 0 || errno == ENOENT);
}

bool
beneath_remove(int dir, const char *name)
{
	if (unlinkat(dir, name, 0) == 0 || errno == ENOENT)
		return true;
	return (errno == EISDIR || errno == EPERM) && remove_below(dir, name);
}
