#include "host/pi/scan.h"

#include <errno.h>
#include <unistd.h>

#define FIRST_ROOM ((size_t)1024 * 1024)
#define COUNT_ROOM ((size_t)256 * 1024)

struct scan
scan_new(struct arena *arena, int fd)
{
	return (struct scan){
	    .arena = arena,
	    .fd = fd,
	    .p = arena_alloc(arena, FIRST_ROOM),
	    .room = FIRST_ROOM,
	};
}

uint64_t
scan_count(struct arena *arena, int fd)
{
	struct arena *scratch = arena_scratch(arena);
	char *p = arena_alloc(scratch, COUNT_ROOM);
	uint64_t lines = 0, offset = 0;
	ssize_t n;

	while ((n = pread(fd, p, COUNT_ROOM, (off_t)offset)) > 0) {
		const char *at = p, *end = p + n;

		offset += (uint64_t)n;
		while (at < end &&
		    (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
			lines++;
			at++;
		}
	}
	arena_reset(scratch);
	return lines;
}

/* Move unused bytes to the front.  If they fill the buffer, double it. */
static void
make_room(struct scan *scan)
{
	size_t held = scan->n - scan->from;

	if (scan->from > 0) {
		memmove(scan->p, scan->p + scan->from, held);
	} else if (held == scan->room) {
		char *p = arena_alloc(scan->arena, scan->room * 2);

		memcpy(p, scan->p, held);
		scan->p = p;
		scan->room *= 2;
	}
	scan->from = 0;
	scan->n = held;
}

static void
fill(struct scan *scan)
{
	ssize_t n;

	make_room(scan);
	do {
		n = pread(scan->fd, scan->p + scan->n, scan->room - scan->n,
		    (off_t)(scan->offset + scan->n));
	} while (n < 0 && errno == EINTR);
	scan->failed = n < 0;
	scan->end = n <= 0;
	if (n > 0)
		scan->n += (size_t)n;
}

/* Use up SIZE bytes, and the LF after them if there is one. */
static struct span
take(struct scan *scan, size_t size)
{
	struct span line = {scan->p + scan->from, size};
	size_t used = size < scan->n - scan->from ? size + 1 : size;

	scan->from += used;
	scan->offset += used;
	return line;
}

bool
scan_next(struct scan *scan, struct span *line, uint64_t *offset)
{
	bool skipping = false;
	size_t looked = 0;

	*offset = scan->offset;
	for (;;) {
		size_t held = scan->n - scan->from;
		const char *at = scan->p + scan->from;
		const char *lf = held > looked
		    ? memchr(at + looked, '\n', held - looked)
		    : NULL;

		if (lf != NULL || scan->end) {
			size_t size = lf != NULL ? (size_t)(lf - at) : held;

			*line = take(scan, size);
			if (skipping || size > SCAN_LINE_MAX)
				*line = SPAN("");
			return lf != NULL || size > 0;
		}
		looked = held;
		if (held > SCAN_LINE_MAX) {
			skipping = true;
			(void)take(scan, held);
			looked = 0;
		}
		fill(scan);
	}
}
