#include "session/reader.h"

#include <errno.h>
#include <unistd.h>

#include "base/slurp.h"
#include "session/ahead.h"
#include "os/bytes.h"
#include "json/json.h"

#define COUNT_ROOM ((size_t)256 * 1024)
/* As much as stays in the processor's cache until it is looked at. */
#define CHUNK ((size_t)256 * 1024)
#define FIRST_CHUNK ((size_t)32 * 1024)
/* A thread pays off after this many bytes, with this many left. */
#define AHEAD_AFTER ((uint64_t)2 * 1024 * 1024)
#define AHEAD_LEFT ((uint64_t)4 * 1024 * 1024)

uint64_t
reader_count(struct arena *arena, int fd)
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

/* Give out a line, which is P's bytes BEGIN..END.  False if it is blank. */
static bool
give(const struct reader *reader, size_t begin, size_t end, uint64_t offset,
    struct span *line, struct session_place *place)
{
	const char *p = reader->p + begin;

	*line = json_trim((struct span){p, end - begin});
	*place =
	    (struct session_place){offset + (uint64_t)(line->p - p), line->n};
	return line->n > 0;
}

/* From the start. */

struct reader
reader_from_start(
    struct arena *arena, int fd, uint64_t first, uint64_t end, size_t room)
{
	if (room > end - first)
		room = (size_t)(end - first);
	return (struct reader){
	    .arena = arena,
	    .fd = fd,
	    .first = first,
	    .end = end,
	    .at = first,
	    .p = arena_alloc(arena, room),
	    .room = room,
	};
}

/* Move unused bytes to the front.  If they fill the buffer, double it. */
static void
room_after(struct reader *reader)
{
	size_t held = reader->to - reader->from;

	if (reader->from > 0) {
		memmove(reader->p, reader->p + reader->from, held);
	} else if (held == reader->room) {
		char *p = arena_alloc(reader->arena, reader->room * 2);

		memcpy(p, reader->p, held);
		reader->p = p;
		reader->room *= 2;
	}
	reader->from = 0;
	reader->to = held;
}

/* Read some bytes after those that are held. */
static void
read_after(struct reader *reader)
{
	uint64_t left = reader->end - reader->at - (reader->to - reader->from);
	size_t want;
	ssize_t n;

	if (left == 0) {
		reader->all = true;
		return;
	}
	room_after(reader);
	want = reader->room - reader->to;
	if (want > left)
		want = (size_t)left;
	do {
		n = pread(reader->fd, reader->p + reader->to, want,
		    (off_t)(reader->at + reader->to));
	} while (n < 0 && errno == EINTR);
	reader->failed = n < 0;
	reader->all = n <= 0;
	if (n > 0)
		reader->to += (size_t)n;
}

/* Use up SIZE of the held bytes. */
static void
use(struct reader *reader, size_t size)
{
	reader->from += size;
	reader->at += size;
}

/*
 * Find the end of the first held line, and read on until it is held whole.  Of
 * a line that is too long, only the end is held then, and *TOO_LONG is set.
 */
static size_t
find_end(struct reader *reader, bool *too_long)
{
	size_t looked = 0;

	for (*too_long = false;;) {
		size_t held = reader->to - reader->from;
		const char *at = reader->p + reader->from;
		const char *lf = held > looked
				     ? memchr(at + looked, '\n', held - looked)
				     : NULL;

		reader->unfinished = lf == NULL;
		if (lf != NULL || reader->all) {
			held = lf != NULL ? (size_t)(lf - at) : held;
			*too_long = *too_long || held > READER_LINE_MAX;
			return held;
		}
		looked = held;
		if (held > READER_LINE_MAX) {
			*too_long = true;
			use(reader, held);
			looked = 0;
		}
		read_after(reader);
	}
}

bool
reader_next(
    struct reader *reader, struct span *line, struct session_place *place)
{
	for (;;) {
		bool too_long, given;
		size_t size = find_end(reader, &too_long);
		size_t begin = reader->from;

		if (reader->unfinished && size == 0)
			return false;
		reader->number++;
		given =
		    give(reader, begin, begin + size, reader->at, line, place);
		use(reader, reader->unfinished ? size : size + 1);
		if (given && !too_long)
			return true;
	}
}

/* From the end. */

struct reader
reader_from_end(struct arena *arena, int fd, uint64_t first, uint64_t end)
{
	return (struct reader){
	    .arena = arena,
	    .fd = fd,
	    .first = first,
	    .end = end,
	    .at = end,
	};
}

/*
 * Make room for N bytes before those that are held.  These move to the end of
 * our own buffer, which grows if a line fills it.
 */
static void
room_before(struct reader *reader, size_t n)
{
	size_t held = reader->to - reader->from;
	size_t room = reader->room;
	char *p = reader->own;

	if (reader->p == p && reader->from >= n)
		return;
	if (room < held + n) {
		room = held + n < CHUNK ? held + n : (held + n) * 2;
		p = arena_alloc(reader->arena, room);
	}
	if (held > 0)
		memmove(p + room - held, reader->p + reader->from, held);
	reader->p = reader->own = p;
	reader->room = reader->to = room;
	reader->from = room - held;
}

/* Read the N bytes before those that are held. */
static bool
read_piece(struct reader *reader, size_t n)
{
	room_before(reader, n);
	if (!slurp_at(
		reader->fd, reader->p + reader->from - n, n, reader->at - n))
		return false;
	reader->from -= n;
	reader->at -= n;
	return true;
}

/* Take the piece that was read ahead.  What is held goes after it. */
static bool
take_piece(struct reader *reader)
{
	size_t held = reader->to - reader->from, n;
	char *piece = ahead_piece(reader->ahead, &n);

	if (piece == NULL)
		return false;
	if (held <= AHEAD_ROOM) {
		memcpy(piece + n, reader->p + reader->from, held);
		reader->p = piece;
		reader->from = 0;
		reader->to = n + held;
	} else {
		room_before(reader, n);
		reader->from -= n;
		memcpy(reader->p + reader->from, piece, n);
	}
	reader->at -= n;
	ahead_go_on(reader->ahead);
	return true;
}

/* Start to read ahead, if that pays off.  Most walks end soon. */
static void
perhaps_ahead(struct reader *reader)
{
	if (reader->ahead != NULL || reader->alone ||
	    reader->end - reader->at < AHEAD_AFTER ||
	    reader->at - reader->first < AHEAD_LEFT)
		return;
	reader->ahead =
	    ahead_begin(reader->arena, reader->fd, reader->first, reader->at);
	reader->alone = reader->ahead == NULL;
}

/* Read some bytes before those that are held.  False if there are none. */
static bool
read_before(struct reader *reader)
{
	uint64_t left = reader->at - reader->first;
	size_t n = reader->own == NULL ? FIRST_CHUNK : CHUNK;

	if (left == 0)
		return false;
	if (reader->to - reader->from > READER_LINE_MAX) {
		reader->failed = true;
		return false;
	}
	perhaps_ahead(reader);
	reader->failed = reader->ahead != NULL
			     ? !take_piece(reader)
			     : !read_piece(reader, left < n ? (size_t)left : n);
	return !reader->failed;
}

/* Where the last held line begins.  False if it is not held whole. */
static bool
find_begin(const struct reader *reader, size_t looked, size_t *begin)
{
	size_t held = reader->to - reader->from;
	const char *lf = held > looked ? bytes_last(reader->p + reader->from,
					     '\n', held - looked)
				       : NULL;

	*begin = lf != NULL ? (size_t)(lf - reader->p) + 1 : reader->from;
	return lf != NULL;
}

bool
reader_previous(
    struct reader *reader, struct span *line, struct session_place *place)
{
	while (!reader->failed) {
		size_t looked = 0, begin, end;

		while (!find_begin(reader, looked, &begin)) {
			looked = reader->to - reader->from;
			if (!read_before(reader))
				break;
		}
		if (reader->failed || reader->to == reader->from)
			break;
		end = reader->to;
		reader->to = begin > reader->from ? begin - 1 : begin;
		if (give(reader, begin, end,
			reader->at + (begin - reader->from), line, place))
			return true;
	}
	return false;
}

void
reader_rest(struct reader *reader)
{
	if (reader->ahead != NULL)
		ahead_end(reader->ahead);
	reader->ahead = NULL;
	reader->at = reader->first;
	reader->from = reader->to;
}
