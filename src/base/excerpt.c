#include "base/excerpt.h"

struct scope
excerpt_scope(const struct excerpt *excerpt)
{
	return scope_of_lines(excerpt->first, excerpt->last, excerpt->total);
}

struct span
excerpt_text(struct arena *arena, const struct excerpt *excerpt)
{
	struct buf text;

	if (excerpt->after.n == 0)
		return excerpt->lines; /* the file's own bytes */
	text = buf_new(arena, (size_t)excerpt_bytes(excerpt));
	buf_add(&text, excerpt->lines);
	buf_add(&text, excerpt->after);
	return buf_span(&text);
}

uint64_t
excerpt_bytes(const struct excerpt *excerpt)
{
	return excerpt->lines.n + excerpt->after.n;
}
