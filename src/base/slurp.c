#include "base/slurp.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

int
slurp_open(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return -1;
	errno = 0;
	if (!S_ISREG(st.st_mode))
		return -1;
	/*
	 * It may have been replaced since: do not block, and do not take a
	 * terminal.
	 */
	return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* As much as a processor's cache can hold beside other things. */
#define STEP ((size_t)256 * 1024)

struct looker {
	void (*look)(void *what, struct span so_far);
	void *what;
};

static enum slurp
read_to_end(struct buf *buf, int fd, size_t limit, struct looker looker)
{
	for (;;) {
		size_t room = buf->room - buf->n;
		ssize_t n;

		if (room == 0) {
			room = buf->room;
			(void)buf_grow(buf, room); /* the file is growing */
			buf->n -= room;
		}
		if (looker.look != NULL && room > STEP)
			room = STEP;
		n = read(fd, buf->p + buf->n, room);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return SLURP_FAILED;
		if (n == 0)
			return SLURP_OK;
		buf->n += (size_t)n;
		if (buf->n > limit)
			return SLURP_TOO_LARGE;
		if (looker.look != NULL)
			looker.look(looker.what, buf_span(buf));
	}
}

enum slurp
slurp(struct arena *arena, int fd, size_t limit, struct span *bytes)
{
	return slurp_looking(arena, fd, limit, NULL, NULL, bytes);
}

enum slurp
slurp_looking(struct arena *arena, int fd, size_t limit,
    void (*look)(void *what, struct span so_far), void *what,
    struct span *bytes)
{
	enum slurp got;
	struct buf buf;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return SLURP_FAILED;
	if (!S_ISREG(st.st_mode))
		return SLURP_SPECIAL;
	if (st.st_size > 0 && (size_t)st.st_size > limit)
		return SLURP_TOO_LARGE;
	/* One byte more than its size, so that the first read sees the end. */
	buf = buf_new(arena, (size_t)st.st_size + 1);
	got = read_to_end(&buf, fd, limit, (struct looker){look, what});
	if (got != SLURP_OK)
		return got;
	/* procfs: a regular file of size 0 whose bytes differ by process. */
	if (st.st_size == 0 && buf.n > 0)
		return SLURP_SPECIAL;
	*bytes = buf_span(&buf);
	return SLURP_OK;
}

enum slurp
slurp_stream(struct arena *arena, int fd, size_t limit, struct span *bytes)
{
	struct buf buf = buf_new(arena, (size_t)64 * 1024);
	enum slurp got =
	    read_to_end(&buf, fd, limit, (struct looker){NULL, NULL});

	*bytes = buf_span(&buf);
	return got;
}

bool
slurp_at(int fd, char *p, size_t n, uint64_t offset)
{
	while (n > 0) {
		ssize_t got = pread(fd, p, n, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		p += got;
		n -= (size_t)got;
		offset += (uint64_t)got;
	}
	return true;
}
