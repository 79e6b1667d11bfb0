#include "store/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "store/object.h"

struct walk
walk_begin(int fd)
{
	struct walk walk = {NULL, -1, fd < 0 && errno != ENOENT};

	/* A descriptor of its own: reading the directory moves the offset. */
	if (fd >= 0)
		walk.fd = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (walk.fd >= 0)
		walk.dir = fdopendir(walk.fd);
	if (walk.dir == NULL && walk.fd >= 0)
		(void)close(walk.fd);
	if (walk.dir == NULL && fd >= 0)
		walk.partial = true;
	return walk;
}

void
walk_end(struct walk *walk)
{
	if (walk->dir != NULL)
		(void)closedir(walk->dir);
	walk->dir = NULL;
}

static bool
next_name(struct walk *walk, const char **name)
{
	const struct dirent *entry;

	if (walk->dir == NULL)
		return false;
	errno = 0;
	entry = readdir(walk->dir);
	if (entry == NULL) {
		walk->partial = walk->partial || errno != 0;
		return false;
	}
	*name = entry->d_name;
	return true;
}

static bool
look(struct walk *walk, struct walk_thing *thing)
{
	if (fstatat(walk->fd, thing->name, &thing->st, AT_SYMLINK_NOFOLLOW) ==
	    0)
		return true;
	walk->partial = walk->partial || errno != ENOENT;
	return false;
}

bool
walk_object(struct walk *walk, struct walk_thing *thing, struct digest *hash)
{
	while (next_name(walk, &thing->name))
		if (object_parse(thing->name, hash) && look(walk, thing))
			return true;
	return false;
}

bool
walk_any(struct walk *walk, struct walk_thing *thing)
{
	while (next_name(walk, &thing->name))
		if (strcmp(thing->name, ".") != 0 &&
		    strcmp(thing->name, "..") != 0 && look(walk, thing))
			return true;
	return false;
}

bool
walk_temp(struct walk *walk, struct walk_thing *thing)
{
	while (next_name(walk, &thing->name))
		if (digest_is_hex(span_str(thing->name), TEMP_DIGITS) &&
		    look(walk, thing) && S_ISREG(thing->st.st_mode))
			return true;
	return false;
}

uint64_t
walk_count(int fd)
{
	struct walk walk = walk_begin(fd);
	const char *name;
	uint64_t n = 0;

	while (next_name(&walk, &name))
		n++;
	walk_end(&walk);
	return n;
}
