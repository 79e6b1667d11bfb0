#include "base/beside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "base/write_all.h"
#include "os/random.h"

/* "dir/.report.html.1f2e3d4c" for "dir/report.html". */
static const char *
name_beside(struct arena *arena, const char *path)
{
	static const char digits[] = "0123456789abcdef";
	const char *slash = strrchr(path, '/');
	size_t dir = slash != NULL ? (size_t)(slash - path) + 1 : 0;
	struct buf name = buf_new(arena, strlen(path) + 32);
	struct span last = span_str(path + dir);
	unsigned char random[8] = {0};

	/* Without randomness the name is only more likely to exist already. */
	(void)random_try(random, sizeof(random));
	last.n = utf8_cut(last, last.n < 200 ? last.n : 200);
	buf_add(&name, (struct span){path, dir});
	buf_char(&name, '.');
	buf_add(&name, last);
	buf_char(&name, '.');
	for (size_t i = 0; i < sizeof(random); i++) {
		buf_char(&name, digits[random[i] >> 4]);
		buf_char(&name, digits[random[i] & 15]);
	}
	return arena_cstr(arena, buf_span(&name));
}

static bool
write_and_close(int fd, struct span bytes)
{
	bool written = write_all(fd, bytes);
	int error = errno;

	if (close(fd) != 0 && written)
		return false;
	errno = error;
	return written;
}

bool
beside_put(struct arena *arena, int dir, const char *path, struct span bytes)
{
	const char *beside = name_beside(arena, path);
	int fd = openat(
	    dir, beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	int error;

	if (fd < 0)
		return false;
	if (write_and_close(fd, bytes) && renameat(dir, beside, dir, path) == 0)
		return true;
	error = errno;
	(void)unlinkat(dir, beside, 0);
	errno = error;
	return false;
}
