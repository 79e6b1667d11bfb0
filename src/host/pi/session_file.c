#include "host/pi/session_file.h"

#include "base/slurp.h"
#include "host/pi/ahead.h"
#include "os/bytes.h"
#include "json/json.h"

/* As much as stays in the processor's cache until it is looked at. */
#define CHUNK ((size_t)256 * 1024)
#define FIRST_CHUNK ((size_t)32 * 1024)
/* A thread pays off after this much, with this much left. */
#define AHEAD_BEHIND ((uint64_t)2 * 1024 * 1024)
#define AHEAD_LEFT ((uint64_t)4 * 1024 * 1024)
#define HEADER_FIRST ((size_t)1024)
/* A longer header or line is not from pi, and is not read to its end. */
#define HEADER_MAX ((size_t)1024 * 1024)
#define LINE_MAX_BYTES ((size_t)64 * 1024 * 1024)

/* The path in VALUE; empty if it is not a possible path. */
static struct span
path_of(struct arena *arena, struct span value)
{
	struct json_text text;

	return json_text(arena, value, &text) && !text.lone &&
		!span_has(text.text, '\0')
	    ? text.text
	    : SPAN("");
}

struct session_origin
session_origin(const struct json_doc *doc, struct span header)
{
	enum { CWD, PARENT, BRANCHED, COUNT };
	struct json_field f[COUNT] = {
		[CWD] = {.name = SPAN("cwd")},
		[PARENT] = {.name = SPAN("parentSession")},
		[BRANCHED] = {.name = SPAN("branchedFrom")}, /* version 1 */
	};
	struct session_origin origin;

	json_pick(doc, header, f, COUNT);
	origin.cwd = path_of(doc->arena, f[CWD].value);
	origin.parent = path_of(doc->arena, f[PARENT].value);
	if (origin.parent.n == 0)
		origin.parent = path_of(doc->arena, f[BRANCHED].value);
	return origin;
}

static bool
is_header(const struct json_doc *doc, struct span line)
{
	struct json_field f[] = {{.name = SPAN("type")}, {.name = SPAN("id")}};
	struct json_text type;

	json_pick(doc, line, f, 2);
	return json_text(doc->arena, f[0].value, &type) &&
	    span_eq(type.text, SPAN("session")) &&
	    json_kind(f[1].value) == JSON_STRING;
}

enum header { HEADER_FOUND, HEADER_NONE, HEADER_BEYOND };

/* Look for the header in the file's first bytes; ALL: these are all. */
static enum header
find_header(struct session_file *file, struct span bytes, bool all)
{
	struct json_doc doc = json_doc(file->arena);
	size_t at = 0;

	while (at < bytes.n) {
		const char *lf = memchr(bytes.p + at, '\n', bytes.n - at);
		size_t end = lf != NULL ? (size_t)(lf - bytes.p) : bytes.n;
		struct span line = json_trim(
		    (struct span){bytes.p + at, end - at});

		if (lf == NULL && !all)
			return HEADER_BEYOND;
		at = lf != NULL ? end + 1 : end;
		/*
		 * As for the host, a broken character does not break the line.
		 */
		if (line.n == 0 || !json_syntax(file->arena, line))
			continue;
		file->first = at;
		if (!is_header(&doc, line))
			return HEADER_NONE;
		file->origin = session_origin(&doc, line);
		return HEADER_FOUND;
	}
	return all ? HEADER_NONE : HEADER_BEYOND;
}

static bool
pass_header(struct session_file *file)
{
	uint64_t size = (uint64_t)file->st.st_size;
	enum header found = HEADER_BEYOND;

	for (size_t n = HEADER_FIRST;
	     found == HEADER_BEYOND && n <= HEADER_MAX; n *= 2) {
		char *p;

		if (n > size)
			n = (size_t)size;
		p = arena_alloc(file->arena, n);
		if (!slurp_at(file->fd, p, n, 0))
			return false;
		found = find_header(file, (struct span){p, n}, n == size);
	}
	return found == HEADER_FOUND;
}

bool
session_file_open(struct arena *arena, struct span path,
    struct session_file *file)
{
	*file = (struct session_file){.arena = arena};
	file->fd = slurp_open(arena_cstr(arena, path));
	if (file->fd < 0)
		return false;
	arena_own_fd(arena, file->fd);
	if (fstat(file->fd, &file->st) != 0 || !S_ISREG(file->st.st_mode) ||
	    !pass_header(file))
		return false;
	file->at = (uint64_t)file->st.st_size;
	return true;
}

/*
 * Make room for N bytes before those that are held.  These move to the end of
 * our own buffer, which grows if a line fills it.
 */
static void
make_room(struct session_file *file, size_t n)
{
	size_t held = file->to - file->from;
	size_t room = file->own_room;
	char *p = file->own;

	if (file->p == p && file->from >= n)
		return;
	if (room < held + n) {
		room = held + n < CHUNK ? held + n : (held + n) * 2;
		p = arena_alloc(file->arena, room);
	}
	if (held > 0)
		memmove(p + room - held, file->p + file->from, held);
	file->p = file->own = p;
	file->own_room = file->to = room;
	file->from = room - held;
}

/* Read the N bytes before those that are held. */
static bool
read_piece(struct session_file *file, size_t n)
{
	make_room(file, n);
	if (!slurp_at(file->fd, file->p + file->from - n, n, file->at - n))
		return false;
	file->from -= n;
	file->at -= n;
	return true;
}

/* Take the piece that was read ahead.  What is held goes after it. */
static bool
take_piece(struct session_file *file)
{
	size_t held = file->to - file->from, n;
	char *piece = ahead_piece(file->ahead, &n);

	if (piece == NULL)
		return false;
	if (held <= AHEAD_ROOM) {
		memcpy(piece + n, file->p + file->from, held);
		file->p = piece;
		file->from = 0;
		file->to = n + held;
	} else {
		make_room(file, n);
		file->from -= n;
		memcpy(file->p + file->from, piece, n);
	}
	file->at -= n;
	ahead_go_on(file->ahead);
	return true;
}

/* Start to read ahead, if that pays off.  Most walks end soon. */
static void
perhaps_ahead(struct session_file *file)
{
	if (file->ahead != NULL || file->alone ||
	    (uint64_t)file->st.st_size - file->at < AHEAD_BEHIND ||
	    file->at - file->first < AHEAD_LEFT)
		return;
	file->ahead =
	    ahead_begin(file->arena, file->fd, file->first, file->at);
	file->alone = file->ahead == NULL;
}

/* Read some bytes before those that are held.  False if there are none. */
static bool
read_before(struct session_file *file)
{
	uint64_t left = file->at - file->first;
	size_t n = file->own == NULL ? FIRST_CHUNK : CHUNK;

	if (left == 0)
		return false;
	if (file->to - file->from > LINE_MAX_BYTES) {
		file->failed = true;
		return false;
	}
	perhaps_ahead(file);
	file->failed = file->ahead != NULL
	    ? !take_piece(file)
	    : !read_piece(file, left < n ? (size_t)left : n);
	return !file->failed;
}

/* Where the last held line begins.  False if it is not held whole. */
static bool
find_begin(const struct session_file *file, size_t looked, size_t *begin)
{
	size_t held = file->to - file->from;
	const char *lf = held > looked ? bytes_last(file->p + file->from, '\n',
					     held - looked)
				       : NULL;

	*begin = lf != NULL ? (size_t)(lf - file->p) + 1 : file->from;
	return lf != NULL;
}

bool
session_file_before(struct session_file *file, struct span *line,
    struct session_place *place)
{
	while (!file->failed) {
		size_t looked = 0, begin;

		while (!find_begin(file, looked, &begin)) {
			looked = file->to - file->from;
			if (!read_before(file))
				break;
		}
		if (file->failed || file->to == file->from)
			break;
		*line = (struct span){file->p + begin, file->to - begin};
		*place = (struct session_place){
		    file->at + (begin - file->from), line->n};
		file->to = begin > file->from ? begin - 1 : begin;
		*line = json_trim(*line);
		if (line->n > 0)
			return true;
	}
	return false;
}

void
session_file_rest(struct session_file *file)
{
	if (file->ahead != NULL)
		ahead_end(file->ahead);
	file->ahead = NULL;
	file->at = file->first;
	file->from = file->to;
}

bool
session_file_at(const struct session_file *file, struct arena *arena,
    struct session_place place, struct span *bytes)
{
	char *p = arena_alloc(arena, place.size);

	*bytes = (struct span){p, place.size};
	return slurp_at(file->fd, p, place.size, place.offset);
}
