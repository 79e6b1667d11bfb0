#include "diff/fuzzy.h"

#include <utf8proc.h>

#include "base/buf.h"

/*
 * Room for the code points of one line.  The text is one line after the other,
 * because nothing combines across a line end.
 */
struct points {
	struct arena *arena;
	utf8proc_int32_t *list;
	size_t room;
};

/* Blank ASCII; CR and LF are not among the bytes of a line's end. */
static bool
is_blank_byte(char c)
{
	return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

/* What JavaScript's trimEnd removes, of what NFKC leaves. */
static bool
is_blank(utf8proc_int32_t point)
{
	return (point < 0x80 && is_blank_byte((char)point)) ||
	    point == 0x1680 || point == 0x2028 || point == 0x2029 ||
	    point == 0xfeff;
}

static bool
is_ascii(struct span text)
{
	unsigned char all = 0;

	for (size_t i = 0; i < text.n; i++)
		all |= (unsigned char)text.p[i];
	return all < 0x80;
}

/* Take one line off REST; its LF, if it has one, stays in front of REST. */
static struct span
take_line(struct span *rest)
{
	const char *lf = memchr(rest->p, '\n', rest->n);
	size_t n = lf != NULL ? (size_t)(lf - rest->p) : rest->n;
	struct span line = {rest->p, n};

	*rest = span_from(*rest, n);
	return line;
}

/* Is TEXT, which is ASCII, its own fuzzy form? */
static bool
has_no_blank_ends(struct span text)
{
	for (;;) {
		struct span line = take_line(&text);

		if (line.n > 0 && is_blank_byte(line.p[line.n - 1]))
			return false;
		if (text.n == 0)
			return true;
		text = span_from(text, 1);
	}
}

/* The plain character for a typographic one. */
static utf8proc_int32_t
plain(utf8proc_int32_t point)
{
	if (point >= 0x2018 && point <= 0x201b)
		return '\'';
	if (point >= 0x201c && point <= 0x201f)
		return '"';
	if ((point >= 0x2010 && point <= 0x2015) || point == 0x2212)
		return '-';
	return point;
}

/*
 * Is POINT a mark, which the normal form sorts among others, or one of the two
 * halfwidth signs of sound, which become marks?
 */
static bool
is_mark(utf8proc_int32_t point, utf8proc_category_t category)
{
	return category == UTF8PROC_CATEGORY_MN ||
	    category == UTF8PROC_CATEGORY_MC ||
	    category == UTF8PROC_CATEGORY_ME || point == 0xff9e ||
	    point == 0xff9f;
}

/*
 * Does the library know every character of LINE, and has no character too many
 * marks?  The library sorts marks by exchanging neighbors.
 */
static bool
is_certain(struct span line)
{
	enum { MARKS_MAX = 32 }; /* Unicode's safe streams have 30 */
	const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)line.p;
	utf8proc_ssize_t left = (utf8proc_ssize_t)line.n;
	int marks = 0;

	while (left > 0) {
		utf8proc_int32_t point;
		utf8proc_ssize_t n = utf8proc_iterate(p, left, &point);
		utf8proc_category_t category;

		if (n <= 0)
			return false;
		category = utf8proc_category(point);
		marks = is_mark(point, category) ? marks + 1 : 0;
		if (category == UTF8PROC_CATEGORY_CN || marks > MARKS_MAX)
			return false;
		p += n;
		left -= n;
	}
	return true;
}

/* The code points of LINE in NFKC; -1 if there are far too many. */
static utf8proc_ssize_t
normal_form(struct points *points, struct span line)
{
	const utf8proc_option_t how = UTF8PROC_STABLE | UTF8PROC_COMPOSE |
	    UTF8PROC_COMPAT;
	/* A letter of two bytes may have two marks; few have more. */
	size_t room = 2 * line.n + 32;
	utf8proc_ssize_t n;

	if (points->room < room) {
		points->list = arena_array(points->arena, room + 1,
		    sizeof(*points->list));
		points->room = room;
	}
	n = utf8proc_decompose((const utf8proc_uint8_t *)line.p,
	    (utf8proc_ssize_t)line.n, points->list,
	    (utf8proc_ssize_t)points->room, how);
	if (n < 0 || (size_t)n > points->room)
		return -1;
	return utf8proc_normalize_utf32(points->list, n, how);
}

/* Add LINE, which is not ASCII, to OUT.  False if that is not certain. */
static bool
add_line(struct buf *out, struct points *points, struct span line)
{
	utf8proc_ssize_t n;

	if (!is_certain(line) || (n = normal_form(points, line)) < 0)
		return false;
	while (n > 0 && is_blank(points->list[n - 1]))
		n--;
	for (utf8proc_ssize_t i = 0; i < n; i++) {
		utf8proc_uint8_t bytes[4];
		utf8proc_ssize_t size = utf8proc_encode_char(
		    plain(points->list[i]), bytes);

		buf_add(out, (struct span){(char *)bytes, (size_t)size});
	}
	return true;
}

size_t
fuzzy_bytes(struct span text)
{
	size_t bytes = 0;

	if (is_ascii(text))
		return 0;
	for (;;) {
		struct span line = take_line(&text);

		if (!is_ascii(line))
			bytes += line.n;
		if (text.n == 0)
			return bytes;
		text = span_from(text, 1);
	}
}

bool
fuzzy_text(struct arena *arena, struct span text, struct span *fuzzy)
{
	struct points points = {.arena = arena};
	struct buf out;

	*fuzzy = text;
	if (is_ascii(text) && has_no_blank_ends(text))
		return true;
	out = buf_new(arena, text.n + 1);
	for (;;) {
		struct span line = take_line(&text);

		if (is_ascii(line)) {
			while (line.n > 0 && is_blank_byte(line.p[line.n - 1]))
				line.n--;
			buf_add(&out, line);
		} else if (!add_line(&out, &points, line)) {
			return false;
		}
		if (text.n == 0)
			break;
		buf_char(&out, '\n');
		text = span_from(text, 1);
	}
	*fuzzy = buf_span(&out);
	return true;
}
