#include "base/utf8.h"

#include <stdint.h>
#include <utf8proc.h>

/* How many ASCII bytes stand at the front of S, in steps of eight. */
static size_t
ascii_prefix(struct span s)
{
	size_t i = 0;

	while (s.n - i >= 8) {
		uint64_t word;

		memcpy(&word, s.p + i, 8);
		if ((word & UINT64_C(0x8080808080808080)) != 0)
			break;
		i += 8;
	}
	return i;
}

bool
utf8_valid(struct span text)
{
	while (text.n > 0) {
		utf8proc_int32_t point;
		utf8proc_ssize_t n;

		text = span_from(text, ascii_prefix(text));
		/* The word that stopped it, or the rest, by characters. */
		for (size_t left = 8; left > 0 && text.n > 0; left--) {
			if ((unsigned char)text.p[0] < 0x80) {
				text = span_from(text, 1);
				continue;
			}
			n = utf8proc_iterate(
			    (const utf8proc_uint8_t *)text.p,
			    text.n < 4 ? (utf8proc_ssize_t)text.n : 4, &point);
			if (n <= 0)
				return false;
			text = span_from(text, (size_t)n);
		}
	}
	return true;
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
