#include "base/visible.h"

#include <stdint.h>

#include "base/utf8.h"

static const char digits[] = "0123456789abcdef";

static void
add_byte(struct buf *out, unsigned char c)
{
	buf_str(out, "\\x");
	buf_char(out, digits[c >> 4]);
	buf_char(out, digits[c & 15]);
}

/* The code point of S, which is one valid character. */
static uint32_t
decode(struct span s)
{
	uint32_t c = (unsigned char)s.p[0];

	if (s.n > 1)
		c &= 0x7fu >> s.n;
	for (size_t i = 1; i < s.n; i++)
		c = c << 6 | ((unsigned char)s.p[i] & 0x3f);
	return c;
}

/*
 * Would C act on the line instead of being shown in it, or be invisible in it?
 * The joiners (U+200C, U+200D) are allowed: some languages and some emoji need
 * them.
 */
static bool
acts(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {{0x80, 0x9f}, {0xad, 0xad}, {0x61c, 0x61c},
	    {0x180e, 0x180e}, {0x200b, 0x200b}, {0x200e, 0x200f},
	    {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff},
	    {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

static void
add_number(struct buf *out, uint32_t c)
{
	int shift = 20;

	while (shift > 0 && c >> shift == 0)
		shift -= 4;
	buf_str(out, "\\u{");
	for (; shift >= 0; shift -= 4)
		buf_char(out, digits[c >> shift & 15]);
	buf_char(out, '}');
}

void
visible_add(struct buf *out, struct span s)
{
	while (s.n > 0) {
		unsigned char byte = (unsigned char)s.p[0];
		size_t n = utf8_character(s);
		struct span character = {s.p, n};

		if (n == 0 || (byte < 0x20 && byte != '\t') || byte == 0x7f)
			add_byte(out, byte);
		else if (n > 1 && acts(decode(character)))
			add_number(out, decode(character));
		else
			buf_add(out, character);
		s = span_from(s, n > 0 ? n : 1);
	}
}
