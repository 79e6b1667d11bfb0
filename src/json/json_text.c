/*
 * Strings: decode their escapes to UTF-8.
 */
#include "os/bytes.h"
#include "json/json.h"
#include "json/json_syntax.h"

/* Encode POINT at TO.  Returns the byte after it. */
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
 * Decode the \u escape whose digits are at *P, and move *P after it.  If it is
 * the first half of a surrogate pair, the second half is taken too.  *LONE is
 * set if half a pair is missing.
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
	 * An escape is never shorter than what it stands for, except one that
	 * is cut off at the end of a text that was not validated.
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
json_clean(struct arena *arena, struct span value, struct span *text)
{
	struct json_text decoded;

	if (!json_text(arena, value, &decoded) || decoded.lone ||
	    span_has(decoded.text, '\0'))
		return false;
	*text = decoded.text;
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

/* Every string, name or value, begins at a quote outside of strings. */
bool
json_ambiguous(struct arena *arena, struct span value)
{
	const char *p = value.p, *end = value.p + value.n;

	if (bytes_find(value.p, value.n, "\\u", 2) == NULL)
		return false;
	while ((p = memchr(p, '"', (size_t)(end - p))) != NULL) {
		const char *from = p;
		struct json_text text;

		p = pass_string(from + 1, end);
		if (p == NULL ||
		    !json_text(arena, (struct span){from, (size_t)(p - from)},
			&text) ||
		    text.lone || span_has(text.text, '\0'))
			return true;
	}
	return false;
}
