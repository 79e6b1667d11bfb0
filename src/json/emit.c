#include "json/emit.h"

#include "base/base64.h"
#include "base/utf8.h"
/* The escape of a byte below 0x20, a quote or a backslash; its length. */
static size_t
escape(unsigned char c, char out[6])
{
	static const char digits[] = "0123456789abcdef";
	static const char shorts[] = "btn?fr";

	out[0] = '\\';
	if (c == '"' || c == '\\') {
		out[1] = (char)c;
		return 2;
	}
	if (c >= 8 && c <= 13 && c != 11) {
		out[1] = shorts[c - 8];
		return 2;
	}
	memcpy(out + 1, "u00", 3);
	out[4] = digits[c >> 4];
	out[5] = digits[c & 15];
	return 6;
}

void
emit_string(struct buf *buf, struct span text)
{
	size_t from = 0;

	buf_char(buf, '"');
	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];
		char out[6];

		if (c >= 0x20 && c != '"' && c != '\\')
			continue;
		buf_add(buf, (struct span){text.p + from, i - from});
		buf_add(buf, (struct span){out, escape(c, out)});
		from = i + 1;
	}
	buf_add(buf, (struct span){text.p + from, text.n - from});
	buf_char(buf, '"');
}

void
emit_name(struct buf *buf, const char *name)
{
	if (buf->n > 0 && buf->p[buf->n - 1] != '{')
		buf_char(buf, ',');
	buf_char(buf, '"');
	buf_str(buf, name);
	buf_str(buf, "\":");
}

void
emit_string_member(struct buf *buf, const char *name, struct span text)
{
	emit_name(buf, name);
	emit_string(buf, text);
}

void
emit_number_member(struct buf *buf, const char *name, uint64_t number)
{
	emit_name(buf, name);
	buf_u64(buf, number);
}

bool
emit_bytes_member(struct buf *buf, const char *name, const char *encoded,
    struct span bytes)
{
	if (utf8_valid(bytes)) {
		emit_string_member(buf, name, bytes);
		return true;
	}
	emit_name(buf, encoded);
	buf_char(buf, '"');
	base64_write(buf, bytes);
	buf_char(buf, '"');
	return false;
}
