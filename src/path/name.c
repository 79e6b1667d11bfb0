#include "path/name.h"

#include "base/buf.h"
#include "os/bytes.h"
#include "path/url.h"

/*
 * The length of the unicode space at the front of S, or 0.  In UTF-8:
 * U+00A0, U+2000-200A, U+202F, U+205F, U+3000.
 */
static size_t
unicode_space(struct span s)
{
	const unsigned char *p = (const unsigned char *)s.p;

	if (s.n >= 2 && p[0] == 0xc2 && p[1] == 0xa0)
		return 2;
	if (s.n < 3)
		return 0;
	if (p[0] == 0xe2 && p[1] == 0x80 &&
	    ((p[2] >= 0x80 && p[2] <= 0x8a) || p[2] == 0xaf))
		return 3;
	if (p[0] == 0xe2 && p[1] == 0x81 && p[2] == 0x9f)
		return 3;
	return p[0] == 0xe3 && p[1] == 0x80 && p[2] == 0x80 ? 3 : 0;
}

static struct span
plain_spaces(struct arena *arena, struct span path)
{
	struct buf out = buf_new(arena, path.n);

	for (size_t i = 0; i < path.n;) {
		size_t n = unicode_space(span_from(path, i));

		buf_char(&out, n > 0 ? ' ' : path.p[i]);
		i += n > 0 ? n : 1;
	}
	return buf_span(&out);
}

struct span
name_in(struct arena *arena, struct span dir, struct span name)
{
	struct buf out = buf_new(arena, dir.n + name.n + 1);

	buf_add(&out, dir);
	buf_char(&out, '/');
	buf_add(&out, name);
	return buf_span(&out);
}

struct span
name_from(struct arena *arena, struct span dir, struct span path)
{
	return path.n > 0 && path.p[0] == '/' ? path
					      : name_in(arena, dir, path);
}

struct span
name_normalize(struct arena *arena, struct span name)
{
	struct buf out = buf_new(arena, name.n + 1);

	for (size_t i = 0; i < name.n;) {
		size_t from = i;
		struct span part;

		while (i < name.n && name.p[i] != '/')
			i++;
		part = (struct span){name.p + from, i - from};
		i++;
		if (part.n == 0 || span_eq(part, SPAN(".")))
			continue;
		if (span_eq(part, SPAN(".."))) {
			while (out.n > 0 && out.p[--out.n] != '/')
				;
			continue;
		}
		buf_char(&out, '/');
		buf_add(&out, part);
	}
	return out.n > 0 ? buf_span(&out) : SPAN("/");
}

/* Write the byte C as Node's inspect shows it inside of quotes. */
static void
inspect_byte(struct buf *out, char c, char quote)
{
	static const char digits[] = "0123456789ABCDEF";
	static const char shorts[] = "btn?fr";
	unsigned char byte = (unsigned char)c;

	if (c == quote || c == '\\') {
		buf_char(out, '\\');
		buf_char(out, c);
	} else if (byte >= 8 && byte <= 13 && byte != 11) {
		buf_char(out, '\\');
		buf_char(out, shorts[byte - 8]);
	} else if (byte < 0x20 || byte == 0x7f) {
		buf_str(out, "\\x");
		buf_char(out, digits[byte >> 4]);
		buf_char(out, digits[byte & 15]);
	} else {
		buf_char(out, c);
	}
}

/*
 * The host's message for a path with NUL.  It is Node's, with the path as
 * inspect shows it.
 */
static enum name_status
refuse_nul(struct arena *arena, struct span name, struct name_error *error)
{
	struct buf shown = buf_new(arena, 256), out = buf_new(arena, 256);
	char quote = '\'';

	for (size_t i = 0; i < name.n; i++)
		if ((unsigned char)name.p[i] >= 0x80 || name.p[i] == '\n')
			return NAME_UNUSUAL; /* Node shows these otherwise */
	if (span_has(name, '\'')) {
		if (!span_has(name, '"'))
			quote = '"';
		else if (!span_has(name, '`') &&
			 bytes_find(name.p, name.n, "${", 2) == NULL)
			quote = '`';
	}
	buf_char(&shown, quote);
	for (size_t i = 0; i < name.n; i++)
		inspect_byte(&shown, name.p[i], quote);
	buf_char(&shown, quote);

	buf_str(&out, "The argument 'path' must be a string, Uint8Array, or "
		      "URL without null bytes. Received ");
	if (shown.n > 128) {
		buf_add(&out, (struct span){shown.p, 128});
		buf_str(&out, "...");
	} else {
		buf_add(&out, buf_span(&shown));
	}
	*error = (struct name_error){"ERR_INVALID_ARG_VALUE", buf_span(&out)};
	return NAME_REFUSED;
}

enum name_status
name_resolve(struct arena *arena, struct span path, struct span cwd,
    struct span home, struct span *name, struct name_error *error)
{
	enum name_status status = NAME_OK;

	path = plain_spaces(arena, path);
	if (path.n > 0 && path.p[0] == '@')
		path = span_from(path, 1);
	if (span_eq(path, SPAN("~")))
		path = home;
	else if (span_starts(path, SPAN("~/")))
		path = home.n > 0 ? name_in(arena, home, span_from(path, 2))
				  : span_from(path, 2);
	else if (span_starts(path, SPAN("file://")))
		status = url_to_path(arena, path, &path, error);
	if (status != NAME_OK)
		return status;
	if (path.n == 0 || path.p[0] != '/')
		path = name_in(arena, cwd, path);
	*name = name_normalize(arena, path);
	return span_has(*name, '\0') ? refuse_nul(arena, *name, error)
				     : NAME_OK;
}
