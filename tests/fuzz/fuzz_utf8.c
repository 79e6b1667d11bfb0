/*
 * UTF-8, against a reader that takes one character after the other.
 */
#include "fuzz.h"

#include "base/utf8.h"

/* How long the character at P is; 0 if there is none. */
static size_t
character(const unsigned char *p, size_t n)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t size = p[0] < 0x80   ? 1
		      : p[0] < 0xc0 ? 0
		      : p[0] < 0xe0 ? 2
		      : p[0] < 0xf0 ? 3
		      : p[0] < 0xf8 ? 4
				    : 0;
	uint32_t point;

	if (size <= 1)
		return size;
	if (size > n)
		return 0;
	point = p[0] & (0x7fu >> size);
	for (size_t i = 1; i < size; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (p[i] & 0x3f);
	}
	if (point < least[size] || point > 0x10ffff ||
	    (point >= 0xd800 && point <= 0xdfff))
		return 0;
	return size;
}

static bool
is_text(struct span s)
{
	for (size_t at = 0, n; at < s.n; at += n) {
		n = character((const unsigned char *)s.p + at, s.n - at);
		if (n == 0)
			return false;
	}
	return true;
}

void
fuzz_one(struct arena *arena, struct span input)
{
	bool text = is_text(input);

	(void)arena;
	EXPECT(utf8_valid(input) == text);
	for (size_t n = 0; n <= input.n && n <= 64; n++) {
		size_t cut = utf8_cut(input, n);

		EXPECT(cut <= n);
		if (text)
			EXPECT(is_text((struct span){input.p, cut}));
		/* No character is longer than four bytes. */
		if (text)
			EXPECT(n - cut < 4);
	}
}
