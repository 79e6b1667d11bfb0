#include "session/append.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/write_all.h"
#include "wire/emit.h"

enum { ID_DIGITS = 8 }; /* as pi makes them */

/* An id that no entry has. */
static bool
make_id(const struct index *index, char id[ID_DIGITS + 1])
{
	unsigned char random[ID_DIGITS / 2];

	do {
		if (getrandom(random, sizeof(random), 0) !=
		    (ssize_t)sizeof(random))
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

/* Does the file end in the middle of a line? */
static bool
is_torn(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char last = '\n';

	return size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

bool
session_append(const struct index *index, struct span file,
    struct span members, struct arena *arena, struct span *line)
{
	uint32_t leaf = index_last(index);
	struct buf out = buf_new(arena, 512);
	char id[ID_DIGITS + 1];
	size_t torn;
	bool done;
	int fd;

	if (!make_id(index, id))
		return false;
	fd = open(arena_cstr(arena, file),
	    O_RDWR | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return false;
	if (is_torn(fd))
		buf_char(&out, '\n');
	torn = out.n;
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
	*line = span_from(buf_span(&out), torn);
	done = write_all(fd, buf_span(&out)); /* one write: one line */
	return close(fd) == 0 && done;
}
