#include "host/pi/append.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/write_all.h"
#include "os/random.h"
#include "json/emit.h"

enum { ID_DIGITS = 8 }; /* as in pi */

/* An id that no entry has. */
static bool
make_id(const struct index *index, char id[ID_DIGITS + 1])
{
	unsigned char random[ID_DIGITS / 2];

	do {
		if (!random_fill(random, sizeof(random)))
			return false;
		for (size_t i = 0; i < sizeof(random); i++)
			(void)snprintf(id + 2 * i, 3, "%02x", random[i]);
	} while (map_find(index->by_id, span_str(id)) != NULL);
	return true;
}

static void
write_time(struct buf *out)
{
	char text[sizeof("2026-11-16T04:23:00.000Z") + 16];
	struct timespec now;
	struct tm utc;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	(void)gmtime_r(&now.tv_sec, &utc);
	(void)strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &utc);
	buf_str(out, text);
	(void)snprintf(text, sizeof(text), ".%03dZ",
	    (int)(now.tv_nsec / 1000000 % 1000));
	buf_str(out, text);
}

/*
 * Find the size of the file, and whether it ends in the middle of a line.
 * False if that cannot be found out.
 */
static bool
find_end(int fd, off_t *size, bool *torn)
{
	char last = '\n';

	*size = lseek(fd, 0, SEEK_END);
	if (*size < 0 || (*size > 0 && pread(fd, &last, 1, *size - 1) != 1))
		return false;
	*torn = last != '\n';
	return true;
}

/* Append all of LINE after the SIZE bytes that are there, or nothing. */
static bool
append_whole(int fd, off_t size, struct span line)
{
	int error, cut;

	if (write_all(fd, line)) /* mostly one write */
		return true;
	error = errno;
	cut = ftruncate(fd, size);
	(void)cut; /* if that fails, the next entry begins a new line */
	errno = error;
	return false;
}

const char *
session_append_bar(const struct index *index)
{
	return index->version < 2
	    ? "sessions of version 1 have no entries that can be "
	      "appended to; open it once with pi"
	    : NULL;
}

bool
session_append(const struct index *index, struct span file,
    struct span members, struct arena *arena, struct span *line)
{
	uint32_t leaf = index_last(index);
	struct buf out = buf_new(arena, 512);
	char id[ID_DIGITS + 1];
	size_t start;
	off_t size;
	bool done, torn;
	int fd;

	if (!make_id(index, id))
		return false;
	fd = open(arena_cstr(arena, file),
	    O_RDWR | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return false;
	if (!find_end(fd, &size, &torn)) {
		(void)close(fd);
		return false;
	}
	if (torn)
		buf_char(&out, '\n');
	start = out.n;
	buf_char(&out, '{');
	buf_add(&out, members);
	emit_string_member(&out, "id", span_str(id));
	emit_name(&out, "parentId");
	if (leaf != NODE_NONE)
		emit_string(&out, index->nodes[leaf].id);
	else
		buf_str(&out, "null");
	buf_str(&out, ",\"timestamp\":\"");
	write_time(&out);
	buf_str(&out, "\"}\n");
	*line = span_from(buf_span(&out), start);
	done = append_whole(fd, size, buf_span(&out));
	return close(fd) == 0 && done;
}
