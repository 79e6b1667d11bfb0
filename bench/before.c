#include "before.h"

#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *
load(const char *path, size_t *n)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text;

	if (fd < 0 || fstat(fd, &st) != 0)
		err(1, "%s", path);
	*n = (size_t)st.st_size;
	text = malloc(*n + 1);
	if (text == NULL || read(fd, text, *n) != st.st_size)
		err(1, "%s", path);
	(void)close(fd);
	return text;
}

void
before_start(struct before *b)
{
	if (b->kind == BEFORE_NOTHING)
		return;
	b->text[0] = load(b->from[0], &b->n[0]);
	if (b->kind == BEFORE_SWAP)
		b->text[1] = load(b->from[1], &b->n[1]);
}

static void
put(const char *path, int how, const char *text, size_t n)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | how);

	if (fd < 0 || write(fd, text, n) != (ssize_t)n || close(fd) != 0)
		err(1, "%s", path);
}

static void
append_line(struct before *b)
{
	const char *line = b->text[0] + b->at;
	const char *end = memchr(line, '\n', b->n[0] - b->at);

	if (end == NULL)
		errx(1, "%s has too few lines", b->from[0]);
	put(b->file, O_APPEND, line, (size_t)(end + 1 - line));
	b->at += (size_t)(end + 1 - line);
}

void
before_round(struct before *b)
{
	unsigned which = b->round++ % 2;

	if (b->kind == BEFORE_APPEND)
		append_line(b);
	else if (b->kind == BEFORE_SWAP)
		put(b->file, O_TRUNC, b->text[which], b->n[which]);
}
