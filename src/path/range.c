#include "path/range.h"

#include "base/buf.h"
#include "base/scope.h"
#include "os/bytes.h"

enum range_suffix
range_split(struct span path, struct range *range)
{
	const char *colon = bytes_last(path.p, ':', path.n);
	const char *dash;
	struct span first, last;
	size_t n;

	if (colon == NULL)
		return RANGE_NONE;
	n = (size_t)(colon - path.p);
	range->path = (struct span){path.p, n};
	range->suffix = span_from(path, n + 1);
	range->last = 0;
	if (span_has(range->suffix, '/'))
		return RANGE_NONE; /* the colon is in a directory's name */

	dash = memchr(range->suffix.p, '-', range->suffix.n);
	if (dash == NULL) {
		first = range->suffix;
	} else {
		n = (size_t)(dash - range->suffix.p);
		first = (struct span){range->suffix.p, n};
		last = span_from(range->suffix, n + 1);
		if (!number_parse(last, &range->last))
			return RANGE_BAD;
	}
	if (!number_parse(first, &range->first) || range->first == 0 ||
	    (dash != NULL && range->last < range->first))
		return RANGE_BAD;
	return RANGE_GOOD;
}

struct span
range_message(struct arena *arena, const struct range *range)
{
	struct buf out = buf_new(arena, 160 + range->path.n);

	buf_str(&out, "Invalid range \"");
	buf_add(&out, range->suffix);
	buf_str(&out, "\" after ");
	buf_add(&out, range->path);
	buf_str(&out, ": use path:START or path:START-END with line numbers "
		      "from 1, START not above END.");
	return buf_span(&out);
}
