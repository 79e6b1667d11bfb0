#include "base/beneath.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descent.h"
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

/*
 * As beneath_dir, but missing directories are made: up to one that is there,
 * and down again.
 */
static int
make_dir(struct arena *arena, int root, struct span path)
{
	struct span there = path;
	int fd = beneath_dir(arena, root, path);

	while (fd < 0 && errno == ENOENT && there.n > 0) {
		there = above(there);
		fd = beneath_dir(arena, root, there);
	}
	while (fd >= 0 && there.n < path.n) {
		size_t begin = there.n > 0 ? there.n + 1 : 0;
		struct span rest = span_from(path, begin);
		const char *slash = memchr(rest.p, '/', rest.n);
		bool made;

		if (slash != NULL)
			rest.n = (size_t)(slash - rest.p);
		there.n = begin + rest.n;
		made = mkdirat(fd, arena_cstr(arena, rest), 0777) == 0 ||
		       errno == EEXIST;
		(void)close(fd);
		fd = made ? beneath_dir(arena, root, there) : -1;
	}
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

/* A removal at work. */
struct removal {
	struct descent descent;
	/*
	 * The directories that are still to be removed, for each level that
	 * one is in after a NULL.
	 */
	const char **names;
	size_t n, room;
};

static void
push(struct removal *removal, const char *name)
{
	removal->names = arena_more(removal->descent.arena, removal->names,
	    removal->n, &removal->room, sizeof(*removal->names));
	removal->names[removal->n++] = name;
}

/*
 * Remove NAME in DIR unless it is a directory.  False if it is still there and
 * is not one.
 */
static bool
remove_file(int dir, const char *name, bool *directory)
{
	*directory = false;
	if (unlinkat(dir, name, 0) == 0 || errno == ENOENT)
		return true;
	*directory = errno == EISDIR || errno == EPERM;
	return *directory;
}

/* Remove all files in the directory one is in, and note the directories. */
static bool
remove_files(struct removal *removal)
{
	int dir = removal->descent.fd, fd = fcntl(dir, F_DUPFD_CLOEXEC, 0);
	DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;
	bool done = true, directory;

	if (stream == NULL) {
		if (fd >= 0)
			(void)close(fd);
		return false;
	}
	push(removal, NULL);
	while (done && (entry = readdir(stream)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		done = remove_file(dir, entry->d_name, &directory);
		if (done && directory)
			push(removal, arena_cstr(removal->descent.arena,
					  span_str(entry->d_name)));
	}
	(void)closedir(stream);
	return done;
}

/* Nothing is left where one is: go up, and remove the directory. */
static bool
remove_directory(struct removal *removal)
{
	removal->n--;
	if (removal->n == 0)
		return true;
	return descent_up(&removal->descent) &&
	       (unlinkat(removal->descent.fd, removal->names[--removal->n],
		    AT_REMOVEDIR) == 0 ||
		   errno == ENOENT);
}

/* Remove everything in the directory FD, and close FD. */
static bool
empty_directory(struct arena *arena, int fd)
{
	struct removal removal = {0};
	bool done;

	descent_begin(&removal.descent, arena, fd);
	done = remove_files(&removal);
	while (done && removal.n > 0) {
		const char *name = removal.names[removal.n - 1];

		done = name == NULL ? remove_directory(&removal)
				    : descent_down(&removal.descent, name) &&
					  remove_files(&removal);
	}
	descent_end(&removal.descent);
	return done;
}

bool
beneath_remove(struct arena *arena, int dir, const char *name)
{
	bool directory;
	int fd;

	if (!remove_file(dir, name, &directory))
		return false;
	if (!directory)
		return true;
	fd = openat(dir, name, DIR_FLAGS | O_NOFOLLOW);
	return fd >= 0 && empty_directory(arena, fd) &&
	       (unlinkat(dir, name, AT_REMOVEDIR) == 0 || errno == ENOENT);
}
