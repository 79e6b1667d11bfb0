#include "base/base64.h"

static const char digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void
base64_write(struct buf *buf, struct span bytes)
{
	for (size_t i = 0; i < bytes.n; i += 3) {
		size_t n = bytes.n - i < 3 ? bytes.n - i : 3;
		unsigned word = 0;
		char *to = buf_grow(buf, 4);

		for (size_t j = 0; j < 3; j++)
			word = word << 8 |
			       (j < n ? (unsigned char)bytes.p[i + j] : 0u);
		for (size_t j = 0; j < 4; j++)
			to[j] =
			    j <= n ? digits[word >> (18 - 6 * j) & 63] : '=';
	}
}

/* The value of a digit, or -1. */
static int
digit_value(char c)
{
	const char *at = c != '\0' ? strchr(digits, c) : NULL;

	return at != NULL ? (int)(at - digits) : -1;
}

/* Four characters, of which PADS are padding, as 3 - PADS bytes. */
static bool
read_group(const char *p, size_t pads, char *to)
{
	unsigned word = 0;

	for (size_t i = 0; i < 4; i++) {
		int value = i < 4 - pads ? digit_value(p[i]) : 0;

		if (value < 0)
			return false;
		word = word << 6 | (unsigned)value;
	}
	for (size_t i = 0; i < 3 - pads; i++)
		to[i] = (char)(word >> (16 - 8 * i));
	/* Unused bits are set: a second spelling of the same bytes. */
	return (word & ((1u << 8 * pads) - 1)) == 0;
}

bool
base64_read(struct arena *arena, struct span text, struct span *bytes)
{
	size_t pads = 0;
	char *to;

	if (text.n % 4 != 0)
		return false;
	while (pads < 2 && pads < text.n && text.p[text.n - 1 - pads] == '=')
		pads++;
	to = arena_alloc(arena, text.n / 4 * 3 + 1);
	for (size_t i = 0; i < text.n; i += 4)
		if (!read_group(
			text.p + i, i + 4 == text.n ? pads : 0, to + i / 4 * 3))
			return false;
	*bytes = (struct span){to, text.n / 4 * 3 - pads};
	return true;
}
