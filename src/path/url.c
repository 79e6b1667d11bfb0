#include "path/url.h"

#include <strings.h>

#include "base/buf.h"
#include "base/hex.h"
#include "base/utf8.h"
#include "os/bytes.h"

/* The byte that the escape at the start of S stands for, or -1. */
static int
escaped_byte(struct span s)
{
	int high, low;

	if (s.n < 3 || s.p[0] != '%')
		return -1;
	high = hex_value(s.p[1]);
	low = hex_value(s.p[2]);
	return high < 0 || low < 0 ? -1 : high << 4 | low;
}

/*
 * Is HOST a name that no URL parser changes or refuses?  Letters, digits and
 * hyphens, and a last label that cannot be a number.
 */
static bool
host_is_plain(struct span host)
{
	const char *dot = bytes_last(host.p, '.', host.n);
	bool letters = false;
	char label;

	if (host.p[host.n - 1] == '.')
		return false;
	label = dot != NULL ? dot[1] : host.p[0];
	if (label >= '0' && label <= '9')
		return false;
	for (size_t i = 0; i < host.n; i++) {
		char c = host.p[i];

		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
			letters = true;
		else if (!(c >= '0' && c <= '9') && c != '-' && c != '.')
			return false;
	}
	/* 0x7f and 1.2 are addresses, xn-- is decoded: not plain. */
	return letters && host.p[0] != '-' && host.p[0] != '.' &&
	       !(host.p[0] >= '0' && host.p[0] <= '9') &&
	       host.p[host.n - 1] >= 'A' &&
	       bytes_find(host.p, host.n, "--", 2) == NULL;
}

static bool
path_is_plain(struct span path)
{
	for (size_t i = 0; i < path.n; i++) {
		unsigned char c = (unsigned char)path.p[i];

		if (c <= ' ' || c == '\\' || c == '|' || c == 0x7f)
			return false;
	}
	/* /C:/x is a drive letter to a URL parser. */
	return !(path.n >= 3 && path.p[2] == ':');
}

static struct span
until(struct span s, char c)
{
	const char *at = memchr(s.p, c, s.n);

	return at != NULL ? (struct span){s.p, (size_t)(at - s.p)} : s;
}

static enum name_status
refuse(struct name_error *error, const char *code, struct span message)
{
	*error = (struct name_error){code, message};
	return NAME_REFUSED;
}

/* Percent-decoding as decodeURIComponent does it. */
static enum name_status
decode(struct arena *arena, struct span text, struct span *path,
    struct name_error *error)
{
	struct buf out = buf_new(arena, text.n);

	for (size_t i = 0; i < text.n; i++) {
		struct span rest = span_from(text, i);

		if (text.p[i] == '%' && escaped_byte(rest) == '/')
			return refuse(error, "ERR_INVALID_FILE_URL_PATH",
			    SPAN("File URL path must not include encoded / "
				 "characters"));
	}
	for (size_t i = 0; i < text.n; i++) {
		int byte = (unsigned char)text.p[i];

		if (byte == '%') {
			byte = escaped_byte(span_from(text, i));
			if (byte < 0)
				return refuse(error, "URIError",
				    SPAN("URI malformed"));
			i += 2;
		}
		buf_char(&out, (char)byte);
	}
	if (!utf8_valid(buf_span(&out)))
		return refuse(error, "URIError", SPAN("URI malformed"));
	*path = buf_span(&out);
	return NAME_OK;
}

/*
 * Does PATH have a segment "." or "..", plain or escaped?  A URL parser
 * resolves them in its own way.
 */
static bool
has_dot_segment(struct span path)
{
	size_t from = 0;

	for (size_t i = 0; i <= path.n; i++) {
		struct span part;

		if (i < path.n && path.p[i] != '/')
			continue;
		part = (struct span){path.p + from, i - from};
		from = i + 1;
		if (span_eq(part, SPAN(".")) || span_eq(part, SPAN("..")))
			return true;
	}
	return bytes_find(path.p, path.n, "%2e", 3) != NULL ||
	       bytes_find(path.p, path.n, "%2E", 3) != NULL;
}

enum name_status
url_to_path(struct arena *arena, struct span url, struct span *path,
    struct name_error *error)
{
	struct span rest = span_from(url, sizeof("file://") - 1);
	struct span host, text;

	rest = until(until(rest, '#'), '?');
	host = until(rest, '/');
	text = span_from(rest, host.n);
	if (text.n == 0)
		text = SPAN("/");
	/* The part after '?' or '#' matters too: blanks at the very end. */
	if (!path_is_plain(span_from(url, sizeof("file://") - 1)) ||
	    !path_is_plain(text) || has_dot_segment(text))
		return NAME_UNUSUAL;
	if (host.n > 0 && !host_is_plain(host))
		return NAME_UNUSUAL;
	if (host.n > 0 &&
	    (host.n != 9 || strncasecmp(host.p, "localhost", 9) != 0))
		return refuse(error, "ERR_INVALID_FILE_URL_HOST",
		    SPAN("File URL host must be \"localhost\" or empty on "
			 "linux"));
	return decode(arena, text, path, error);
}
