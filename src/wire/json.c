#include "wire/json.h"

#include <stdint.h>

#include "base/buf.h"
#include "base/hex.h"
#include "base/utf8.h"

/* ---- judging ---- */

/* Where a container begins, and the byte behind it. */
struct json_extent {
	const char *from, *to;
};

/*
 * Only containers at the depths where entries, messages and their parts are
 * found, and not the small ones: passing over those is as fast as a look-up.
 */
enum { EXTENT_DEPTH = 8, EXTENT_BYTES = 64 };

/*
 * The open brackets, a bit each (1: object), so that depth costs nothing;
 * for the outer ones also which extent is theirs.
 */
struct nesting {
	struct json_doc *doc; /* NULL: extents are not wanted */
	struct buf bits;
	size_t depth;
	size_t extents[EXTENT_DEPTH];
};

static void
open_extent(struct nesting *nest, const char *p)
{
	struct json_doc *doc = nest->doc;

	if (doc == NULL || nest->depth >= EXTENT_DEPTH)
		return;
	if (doc->n == doc->room) {
		size_t room = doc->room > 0 ? doc->room * 2 : 64;
		struct json_extent *list = arena_array(doc->arena, room,
		    sizeof(*list));

		if (doc->n > 0)
			memcpy(list, doc->extents, doc->n * sizeof(*list));
		doc->extents = list;
		doc->room = room;
	}
	nest->extents[nest->depth] = doc->n;
	doc->extents[doc->n++].from = p;
}

/* P is behind the bracket that closes the container at depth DEPTH. */
static void
close_extent(struct nesting *nest, const char *p)
{
	struct json_doc *doc = nest->doc;
	struct json_extent *extent;

	if (doc == NULL || nest->depth >= EXTENT_DEPTH)
		return;
	extent = &doc->extents[nest->extents[nest->depth]];
	extent->to = p;
	/* What it held is smaller still: it is the last one in the list. */
	if (p - extent->from < EXTENT_BYTES)
		doc->n--;
}

static void
nesting_push(struct nesting *nest, bool object, const char *p)
{
	size_t byte = nest->depth / 8;
	unsigned char bit = (unsigned char)(1u << nest->depth % 8);

	if (byte == nest->bits.n)
		*buf_grow(&nest->bits, 1) = 0;
	if (object)
		nest->bits.p[byte] = (char)(nest->bits.p[byte] | bit);
	else
		nest->bits.p[byte] = (char)(nest->bits.p[byte] & ~bit);
	open_extent(nest, p);
	nest->depth++;
}

static void
nesting_pop(struct nesting *nest, const char *p)
{
	nest->depth--;
	close_extent(nest, p);
}

static bool
nesting_in_object(const struct nesting *nest)
{
	size_t top = nest->depth - 1;

	return ((unsigned char)nest->bits.p[top / 8] >> top % 8 & 1) != 0;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *
skip_blanks(const char *p, const char *end)
{
	while (p < end && is_blank(*p))
		p++;
	return p;
}

/* Four hexadecimal digits at P, or -1. */
static int
hex4(const char *p, const char *end)
{
	int value = 0;

	if (end - p < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		int digit = hex_value(p[i]);

		if (digit < 0)
			return -1;
		value = value << 4 | digit;
	}
	return value;
}

/* P is behind an opening quote; the byte behind the closing one, or NULL. */
static const char *
pass_string(const char *p, const char *end)
{
	for (;;) {
		const char *quote = memchr(p, '"', (size_t)(end - p));
		const char *back = quote;

		if (quote == NULL)
			return NULL;
		while (back > p && back[-1] == '\\')
			back--;
		if ((quote - back) % 2 == 0)
			return quote + 1;
		p = quote + 1;
	}
}

/* A loop without an exit: the compiler makes vector instructions of it. */
static bool
has_control(const char *p, const char *end)
{
	unsigned char found = 0;

	for (; p < end; p++)
		found |= (unsigned char)*p < 0x20;
	return found != 0;
}

/* What may follow a backslash, besides 'u'. */
static const unsigned char escapes[256] = {['"'] = 1, ['\\'] = 1, ['/'] = 1,
    ['b'] = 1, ['f'] = 1, ['n'] = 1, ['r'] = 1, ['t'] = 1};

/* P is behind the opening quote.  The byte behind the closing one, or NULL. */
static const char *
judge_string(const char *p, const char *end)
{
	const char *behind = pass_string(p, end), *close;

	if (behind == NULL)
		return NULL;
	close = behind - 1;
	if (has_control(p, close))
		return NULL;
	while ((p = memchr(p, '\\', (size_t)(close - p))) != NULL) {
		if (escapes[(unsigned char)p[1]])
			p += 2;
		else if (p[1] == 'u' && hex4(p + 2, close) >= 0)
			p += 6;
		else
			return NULL;
	}
	return behind;
}

/* One or more digits from P on; NULL if there is none. */
static const char *
judge_digits(const char *p, const char *end)
{
	if (p == end || !is_digit(*p))
		return NULL;
	while (p < end && is_digit(*p))
		p++;
	return p;
}

static const char *
judge_number(const char *p, const char *end)
{
	if (p < end && *p == '-')
		p++;
	if (p < end && *p == '0')
		p++;
	else
		p = judge_digits(p, end);
	if (p != NULL && p < end && *p == '.')
		p = judge_digits(p + 1, end);
	if (p != NULL && p < end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < end && (*p == '+' || *p == '-'))
			p++;
		p = judge_digits(p, end);
	}
	return p;
}

static const char *
judge_word(const char *p, const char *end, struct span word)
{
	struct span rest = {p, (size_t)(end - p)};

	return span_starts(rest, word) ? p + word.n : NULL;
}

/* A value that is no array and no object. */
static const char *
judge_scalar(const char *p, const char *end)
{
	switch (*p) {
	case '"':
		return judge_string(p + 1, end);
	case 't':
		return judge_word(p, end, SPAN("true"));
	case 'f':
		return judge_word(p, end, SPAN("false"));
	case 'n':
		return judge_word(p, end, SPAN("null"));
	default:
		return judge_number(p, end);
	}
}

/* A member's name and its colon; the value follows. */
static const char *
judge_name(const char *p, const char *end)
{
	p = skip_blanks(p, end);
	if (p == end || *p != '"')
		return NULL;
	p = judge_string(p + 1, end);
	if (p == NULL)
		return NULL;
	p = skip_blanks(p, end);
	return p < end && *p == ':' ? p + 1 : NULL;
}

/*
 * P is behind a value.  Close what ends here; then either everything is
 * closed (*more is false), or a comma was passed and a value follows.
 */
static const char *
judge_after(struct nesting *nest, const char *p, const char *end, bool *more)
{
	for (;;) {
		p = skip_blanks(p, end);
		*more = nest->depth > 0;
		if (!*more)
			return p;
		if (p == end)
			return NULL;
		if (*p == ',') {
			p++;
			return nesting_in_object(nest) ? judge_name(p, end) : p;
		}
		if (*p != (nesting_in_object(nest) ? '}' : ']'))
			return NULL;
		p++;
		nesting_pop(nest, p);
	}
}

static bool
judge(struct arena *arena, struct span text, struct json_doc *doc)
{
	struct nesting nest = {.doc = doc, .bits = buf_new(arena, 64)};
	const char *p = text.p, *end = text.p + text.n;
	bool more = true;

	while (p != NULL && more) {
		p = skip_blanks(p, end);
		if (p == end)
			return false;
		if (*p == '{' || *p == '[') {
			bool object = *p == '{';
			const char *inside = skip_blanks(p + 1, end);

			if (inside == end)
				return false;
			if (*inside == (object ? '}' : ']')) {
				p = judge_after(&nest, inside + 1, end, &more);
				continue;
			}
			nesting_push(&nest, object, p);
			p = object ? judge_name(inside, end) : inside;
			continue;
		}
		p = judge_scalar(p, end);
		if (p != NULL)
			p = judge_after(&nest, p, end, &more);
	}
	return p == end;
}

bool
json_syntax(struct arena *arena, struct span text)
{
	return judge(arena, text, NULL);
}

bool
json_valid(struct arena *arena, struct span text)
{
	return judge(arena, text, NULL) && utf8_valid(text);
}

struct span
json_trim(struct span text)
{
	while (text.n > 0 && is_blank(text.p[0]))
		text = span_from(text, 1);
	while (text.n > 0 && is_blank(text.p[text.n - 1]))
		text.n--;
	return text;
}

struct json_doc
json_doc(struct arena *arena)
{
	return (struct json_doc){.arena = arena};
}

bool
json_judge(struct arena *arena, struct span text, struct json_doc *doc)
{
	*doc = json_doc(arena);
	return judge(arena, text, doc) && utf8_valid(text);
}

/* ---- looking into judged text ---- */

enum json_kind
json_kind(struct span value)
{
	if (value.p == NULL || value.n == 0)
		return JSON_ABSENT;
	switch (value.p[0]) {
	case 'n':
		return JSON_NULL;
	case 'f':
		return JSON_FALSE;
	case 't':
		return JSON_TRUE;
	case '"':
		return JSON_STRING;
	case '[':
		return JSON_ARRAY;
	case '{':
		return JSON_OBJECT;
	default:
		return JSON_NUMBER;
	}
}

/* The same in a text that may not have been judged: END if it has no end. */
static const char *
leap_string(const char *p, const char *end)
{
	const char *behind = pass_string(p, end);

	return behind != NULL ? behind : end;
}

/* What changes the depth, or begins a string: the rest is passed over. */
static const unsigned char marks[256] = {
	['"'] = 1, ['{'] = 1, ['['] = 1, ['}'] = 1, [']'] = 1};

/* The extent that begins at P, or NULL. */
static const struct json_extent *
find_extent(const struct json_doc *doc, const char *p)
{
	size_t low = 0, high = doc->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (doc->extents[middle].from < p)
			low = middle + 1;
		else
			high = middle;
	}
	return low < doc->n && doc->extents[low].from == p
	    ? &doc->extents[low]
	    : NULL;
}

/* P is at an opening bracket; the byte behind the closing one. */
static const char *
pass_container(const struct json_doc *doc, const char *p, const char *end)
{
	const struct json_extent *extent = find_extent(doc, p);
	size_t depth = 0;

	if (extent != NULL)
		return extent->to;
	while (p < end) {
		char c = *p++;

		if (!marks[(unsigned char)c])
			continue;
		if (c == '"')
			p = leap_string(p, end);
		else if (c == '{' || c == '[')
			depth++;
		else if (--depth == 0)
			return p;
	}
	return end;
}

/* P is at a value; the byte behind it. */
static const char *
pass_value(const struct json_doc *doc, const char *p, const char *end)
{
	if (*p == '"')
		return leap_string(p + 1, end);
	if (*p == '{' || *p == '[')
		return pass_container(doc, p, end);
	while (p < end && *p != ',' && *p != ':' && *p != '}' && *p != ']' &&
	    !is_blank(*p))
		p++;
	return p;
}

struct json_items
json_items(const struct json_doc *doc, struct span array)
{
	if (json_kind(array) != JSON_ARRAY)
		return (struct json_items){doc, NULL, NULL};
	return (struct json_items){doc, array.p + 1, array.p + array.n};
}

bool
json_next(struct json_items *items, struct span *value)
{
	const char *p;

	if (items->p == NULL)
		return false;
	p = items->p;
	while (p < items->end && (is_blank(*p) || *p == ','))
		p++;
	if (p == items->end || *p == ']' || *p == '}')
		return false;
	items->p = pass_value(items->doc, p, items->end);
	*value = (struct span){p, (size_t)(items->p - p)};
	return items->p > p;
}

/* Is RAW, a name in its quotes, the name NAME? */
static bool
name_is(struct arena *arena, struct span raw, struct span name)
{
	struct json_text text;

	if (raw.n == name.n + 2 && memcmp(raw.p + 1, name.p, name.n) == 0)
		return true;
	return span_has(raw, '\\') && json_text(arena, raw, &text) &&
	    span_eq(text.text, name);
}

void
json_pick(const struct json_doc *doc, struct span object,
    struct json_field *fields, size_t n)
{
	struct json_items items;
	struct span name, value;

	for (size_t i = 0; i < n; i++)
		fields[i].value = (struct span){NULL, 0};
	if (json_kind(object) != JSON_OBJECT)
		return;
	items = (struct json_items){doc, object.p + 1, object.p + object.n};
	while (json_next(&items, &name)) {
		items.p = skip_blanks(items.p, items.end);
		if (items.p == items.end || *items.p != ':')
			return;
		items.p++;
		if (!json_next(&items, &value))
			return;
		for (size_t i = 0; i < n; i++)
			if (name_is(doc->arena, name, fields[i].name))
				fields[i].value = value;
	}
}

/* Encode POINT at TO; the byte behind it. */
static char *
put_point(char *to, unsigned point)
{
	if (point < 0x80) {
		*to++ = (char)point;
	} else if (point < 0x800) {
		*to++ = (char)(0xc0 | point >> 6);
		*to++ = (char)(0x80 | (point & 0x3f));
	} else if (point < 0x10000) {
		*to++ = (char)(0xe0 | point >> 12);
		*to++ = (char)(0x80 | (point >> 6 & 0x3f));
		*to++ = (char)(0x80 | (point & 0x3f));
	} else {
		*to++ = (char)(0xf0 | point >> 18);
		*to++ = (char)(0x80 | (point >> 12 & 0x3f));
		*to++ = (char)(0x80 | (point >> 6 & 0x3f));
		*to++ = (char)(0x80 | (point & 0x3f));
	}
	return to;
}

/*
 * The character of the \u escape whose digits are at *P; *P goes behind it,
 * and behind its second half if it is the first of a pair.
 */
static unsigned
take_escape(const char **p, const char *end, bool *lone)
{
	int unit = hex4(*p, end), low;

	*p += end - *p < 4 ? end - *p : 4;
	if (unit < 0xd800 || unit > 0xdfff)
		return unit < 0 ? 0xfffd : (unsigned)unit;
	if (unit < 0xdc00 && end - *p >= 6 && (*p)[0] == '\\' &&
	    (*p)[1] == 'u') {
		low = hex4(*p + 2, end);
		if (low >= 0xdc00 && low <= 0xdfff) {
			*p += 6;
			return 0x10000u + ((unsigned)(unit - 0xd800) << 10) +
			    (unsigned)(low - 0xdc00);
		}
	}
	*lone = true;
	return 0xfffd; /* what JavaScript's UTF-8 encoder makes of it */
}

static char
escaped_char(char c)
{
	switch (c) {
	case 'b':
		return '\b';
	case 'f':
		return '\f';
	case 'n':
		return '\n';
	case 'r':
		return '\r';
	case 't':
		return '\t';
	default:
		return c;
	}
}

bool
json_text(struct arena *arena, struct span value, struct json_text *text)
{
	const char *p, *end;
	char *copy, *to;

	if (json_kind(value) != JSON_STRING || value.n < 2)
		return false;
	text->lone = false;
	text->text = (struct span){value.p + 1, value.n - 2};
	if (!span_has(text->text, '\\'))
		return true;

	p = text->text.p;
	end = p + text->text.n;
	/*
	 * No escape is shorter than what it stands for, but for one that is
	 * cut off at the end of a text that was not judged.
	 */
	to = copy = arena_alloc(arena, text->text.n + 4);
	while (p < end) {
		const char *back = memchr(p, '\\', (size_t)(end - p));
		size_t n = (size_t)((back != NULL ? back : end) - p);

		memcpy(to, p, n);
		to += n;
		p += n;
		if (end - p < 2)
			break;
		if (p[1] == 'u') {
			p += 2;
			to = put_point(to, take_escape(&p, end, &text->lone));
		} else {
			*to++ = escaped_char(p[1]);
			p += 2;
		}
	}
	text->text = (struct span){copy, (size_t)(to - copy)};
	return true;
}

bool
json_text_is(struct span value, struct span text)
{
	const char *p, *end;
	bool lone = false;

	if (json_kind(value) != JSON_STRING || value.n < 2)
		return false;
	p = value.p + 1;
	end = value.p + value.n - 1;
	while (p < end) {
		const char *back = memchr(p, '\\', (size_t)(end - p));
		struct span piece = {p,
		    (size_t)((back != NULL ? back : end) - p)};
		char decoded[4];

		if (!span_starts(text, piece))
			return false;
		text = span_from(text, piece.n);
		p += piece.n;
		if (end - p < 2)
			break;
		decoded[0] = escaped_char(p[1]);
		piece = (struct span){decoded, 1};
		p += 2;
		if (p[-1] == 'u')
			piece.n = (size_t)(put_point(decoded,
					       take_escape(&p, end, &lone)) -
			    decoded);
		if (lone || !span_starts(text, piece))
			return false;
		text = span_from(text, piece.n);
	}
	return text.n == 0;
}

struct span
json_compact(struct arena *arena, struct span value)
{
	const char *p = value.p, *end = value.p + value.n;
	char *copy = arena_alloc(arena, value.n), *to = copy;

	while (p < end) {
		const char *from = p;

		if (is_blank(*p)) {
			p++;
			continue;
		}
		p = *p == '"' ? leap_string(p + 1, end) : p + 1;
		memcpy(to, from, (size_t)(p - from));
		to += p - from;
	}
	return (struct span){copy, (size_t)(to - copy)};
}
