#include "base/utf8.h"

#include <stdint.h>

enum { BLOCK = 64 };
#define HIGH_BITS UINT64_C(0x8080808080808080)

/* Are BLOCK bytes all ASCII?  Written for vector instructions. */
static bool
ascii_block(const char *p)
{
	uint64_t words[BLOCK / 8], all = 0;

	memcpy(words, p, BLOCK);
	for (size_t i = 0; i < BLOCK / 8; i++)
		all |= words[i];
	return (all & HIGH_BITS) == 0;
}

/* How many ASCII bytes S begins with. */
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
	while (n > 0 && utf8_is_tail(s.p[n]))
		n--;
	return n;
}
