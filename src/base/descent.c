#include "base/descent.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/*
 * This many directories, from the top on, stay open.  Few trees are deeper.
 * Further down a directory is closed when one goes on, and found again by "..".
 */
enum { OPEN_MAX_LEVELS = 24 };

/* A directory that one came through. */
struct descent_level {
	int fd; /* -1: it is not open */
	dev_t dev;
	ino_t ino;
};

void
descent_begin(struct descent *descent, struct arena *arena, int fd)
{
	*descent = (struct descent){.fd = fd, .arena = arena};
}

bool
descent_down(struct descent *descent, const char *name)
{
	bool stays = descent->depth < OPEN_MAX_LEVELS;
	struct descent_level level = {.fd = stays ? descent->fd : -1};
	struct stat st;
	int fd;

	descent->above = arena_more(descent->arena, descent->above,
	    descent->depth, &descent->room, sizeof(*descent->above));
	fd = openat(descent->fd, name, DIR_FLAGS);
	if (fd < 0)
		return false;
	if (!stays) {
		if (fstat(descent->fd, &st) != 0) {
			(void)close(fd);
			return false;
		}
		level.dev = st.st_dev;
		level.ino = st.st_ino;
		(void)close(descent->fd);
	}
	descent->fd = fd;
	descent->above[descent->depth++] = level;
	return true;
}

/* Open the directory above FD if it is LEVEL. */
static int
find_above(int fd, const struct descent_level *level)
{
	int above = openat(fd, "..", DIR_FLAGS);
	struct stat st;

	if (above < 0)
		return -1;
	if (fstat(above, &st) == 0 && st.st_dev == level->dev &&
	    st.st_ino == level->ino)
		return above;
	(void)close(above);
	errno = EBUSY;
	return -1;
}

bool
descent_up(struct descent *descent)
{
	const struct descent_level *level = &descent->above[descent->depth - 1];
	int fd = level->fd >= 0 ? level->fd : find_above(descent->fd, level);

	if (fd < 0)
		return false;
	(void)close(descent->fd);
	descent->fd = fd;
	descent->depth--;
	return true;
}

void
descent_end(struct descent *descent)
{
	int error = errno;

	(void)close(descent->fd);
	for (size_t i = 0; i < descent->depth; i++)
		if (descent->above[i].fd >= 0)
			(void)close(descent->above[i].fd);
	descent->depth = 0;
	descent->fd = -1;
	errno = error;
}
