#include "base/lines.h"

enum { PIECE = 224 }; /* of a text; under 256, and a multiple of 32 */

uint64_t
lines_count(struct span text)
{
	uint64_t lines = 1;

	/*
	 * Count in pieces so short that one byte can hold the count.  The
	 * compiler then makes vector instructions of the inner loop, with
	 * nothing left over.
	 */
	for (; text.n >= PIECE; text = span_from(text, PIECE)) {
		unsigned char here = 0;

		for (size_t i = 0; i < PIECE; i++)
			here = (unsigned char)(here + (text.p[i] == '\n'));
		lines += here;
	}
	for (size_t i = 0; i < text.n; i++)
		lines += text.p[i] == '\n';
	return lines;
}

/* Move *OFF past COUNT lines with their LF.  False if there are fewer lines. */
static bool
skip_lines(struct span text, uint64_t count, size_t *off)
{
	while (count > 0) {
		const char *lf = memchr(text.p + *off, '\n', text.n - *off);

		if (lf == NULL)
			return false;
		*off = (size_t)(lf - text.p) + 1;
		count--;
	}
	return true;
}

bool
lines_slice(struct span text, uint64_t first, uint64_t last,
    struct span *slice)
{
	size_t from = 0, to;
	const char *lf;

	if (!skip_lines(text, first - 1, &from))
		return false;
	to = from;
	if (!skip_lines(text, last - first, &to))
		return false;
	lf = memchr(text.p + to, '\n', text.n - to);
	slice->p = text.p + from;
	slice->n = (lf != NULL ? (size_t)(lf - text.p) : text.n) - from;
	return true;
}

bool
lines_from(struct span text, uint64_t first, struct span *slice)
{
	size_t from = 0;

	if (!skip_lines(text, first - 1, &from))
		return false;
	*slice = span_from(text, from);
	return true;
}

struct lines
lines_index(struct arena *arena, struct span text)
{
	struct lines lines = {.text = text, .n = lines_count(text)};
	size_t at = 0;

	lines.begins = arena_alloc(arena,
	    (size_t)(lines.n / LINES_STRIDE + 1) * sizeof(*lines.begins));
	for (uint64_t i = 0; i < lines.n; i += LINES_STRIDE) {
		lines.begins[i / LINES_STRIDE] = at;
		if (!skip_lines(text, LINES_STRIDE, &at))
			break;
	}
	return lines;
}

bool
lines_find(const struct lines *lines, uint64_t first, uint64_t last,
    struct span *slice)
{
	size_t ends[2];

	if (first < 1 || first > last || last > lines->n)
		return false;
	/*
	 * Where line FIRST begins, and where the line after LAST would begin.
	 */
	for (int i = 0; i < 2; i++) {
		uint64_t line = i == 0 ? first - 1 : last;

		if (line == lines->n) {
			ends[i] = lines->text.n + 1; /* as if it had an LF */
			continue;
		}
		ends[i] = lines->begins[line / LINES_STRIDE];
		(void)skip_lines(lines->text, line % LINES_STRIDE, &ends[i]);
	}
	*slice = (struct span){lines->text.p + ends[0], ends[1] - 1 - ends[0]};
	return true;
}
