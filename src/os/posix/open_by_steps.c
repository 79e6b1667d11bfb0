#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "os/open.h"

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

/* Open the first N bytes of NAME, one component, in DIR. */
static int
step(int dir, const char *name, size_t n)
{
	char component[NAME_MAX + 1];

	if (n == 0 || (n == 2 && memcmp(name, "..", 2) == 0)) {
		errno = EXDEV;
		return -1;
	}
	if (n > NAME_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(component, name, n);
	component[n] = '\0';
	return openat(dir, component, DIR_FLAGS | O_NOFOLLOW);
}

int
open_by_steps(int root, const char *name)
{
	int fd = openat(root, ".", DIR_FLAGS);

	while (fd >= 0 && *name != '\0') {
		size_t n = strcspn(name, "/");
		int next = step(fd, name, n), error = errno;

		(void)close(fd);
		errno = error;
		fd = next;
		name += n + (name[n] == '/');
	}
	return fd;
}
