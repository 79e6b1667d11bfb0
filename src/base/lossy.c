#include "base/lossy.h"

#include "base/buf.h"
#include "base/utf8.h"

/* The length of the character at the front of S, or 0 if it is not valid. */
static size_t
character(struct span s)
{
	for (size_t n = 1; n <= 4 && n <= s.n; n++)
		if (utf8_valid((struct span){s.p, n}))
			return n;
	return 0;
}

struct span
lossy(struct arena *arena, struct span s)
{
	struct buf out;

	if (utf8_valid(s))
		return s;
	out = buf_new(arena, s.n * 3);
	while (s.n > 0) {
		size_t n = character(s);

		if (n > 0)
			buf_add(&out, (struct span){s.p, n});
		else
			buf_str(&out, "\xef\xbf\xbd");
		s = span_from(s, n > 0 ? n : 1);
	}
	return buf_span(&out);
}
