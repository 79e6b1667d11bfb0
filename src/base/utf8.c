#include "base/utf8.h"

#include <stdint.h>

enum { BLOCK = 64 };
#define HIGH_BITS UINT64_C(0x8080808080808080)

/* Is there none but ASCII in BLOCK bytes?  Made for vector instructions. */
static bool
ascii_block(const char *p)
{
	uint64_t words[BLOCK / 8], all = 0;

	memcpy(words, p, BLOCK);
	for (size_t i = 0; i < BLOCK / 8; i++)
		all |= words[i];
	return (all & HIGH_BITS) == 0;
}

/* How many ASCII bytes stand at the front of S. */
static size_t
ascii_prefix(struct span s)
{
	size_t i = 0;

	while (s.n - i >= BLOCK && ascii_block(s.p + i))
		i += BLOCK;
	while (s.n - i >= 8) {
		uint64_t word;

		memcpy(&word, s.p + i, 8);
		if ((word & HIGH_BITS) != 0)
			break;
		i += 8;
	}
	while (i < s.n && (unsigned char)s.p[i] < 0x80)
		i++;
	return i;
}

static bool
is_tail(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/*
 * By hand and not by utf8proc_iterate: sessions are full of such characters,
 * and the call alone took a tenth of the time of judging one.
 */
size_t
utf8_character(struct span s)
{
	unsigned char lead = (unsigned char)s.p[0];
	unsigned char next = s.n > 1 ? (unsigned char)s.p[1] : 0;
	unsigned char low = 0x80, high = 0xbf; /* what next may be */

	if (lead < 0x80)
		return 1;
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	if (lead == 0xe0)
		low = 0xa0; /* else it is overlong */
	else if (lead == 0xed)
		high = 0x9f; /* else it is a surrogate */
	else if (lead == 0xf0)
		low = 0x90;
	else if (lead == 0xf4)
		high = 0x8f; /* else it is above U+10FFFF */
	if (next < low || next > high)
		return 0;
	if (lead < 0xe0)
		return 2;
	if (s.n < 3 || !is_tail(s.p[2]))
		return 0;
	if (lead < 0xf0)
		return 3;
	return s.n >= 4 && is_tail(s.p[3]) ? 4 : 0;
}

bool
utf8_valid(struct span text)
{
	for (;;) {
		size_t n;

		text = span_from(text, ascii_prefix(text));
		if (text.n == 0)
			return true;
		n = utf8_character(text);
		if (n == 0)
			return false;
		text = span_from(text, n);
	}
}

size_t
utf8_cut(struct span s, size_t n)
{
	if (n >= s.n)
		return s.n;
	while (n > 0 && ((unsigned char)s.p[n] & 0xc0) == 0x80)
		n--;
	return n;
}
