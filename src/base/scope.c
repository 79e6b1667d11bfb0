#include "base/scope.h"

bool
scope_eq(struct scope a, struct scope b)
{
	return a.kind == b.kind && a.first == b.first && a.last == b.last;
}

void
scope_write(struct buf *buf, struct scope scope)
{
	if (scope.kind == SCOPE_FULL) {
		buf_str(buf, "full");
		return;
	}
	buf_str(buf, "r:");
	buf_u64(buf, scope.first);
	buf_char(buf, ':');
	buf_u64(buf, scope.last);
}

bool
number_parse(struct span text, uint64_t *number)
{
	uint64_t value = 0;

	if (text.n == 0 || text.n > 16 || (text.p[0] == '0' && text.n > 1))
		return false;
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] < '0' || text.p[i] > '9')
			return false;
		value = value * 10 + (uint64_t)(text.p[i] - '0');
	}
	*number = value;
	return value <= NUMBER_MAX;
}

bool
scope_parse(struct span text, struct scope *scope)
{
	uint64_t first, last;
	const char *colon;
	size_t n;

	if (span_eq(text, SPAN("full"))) {
		*scope = scope_full();
		return true;
	}
	if (!span_starts(text, SPAN("r:")))
		return false;
	text = span_from(text, 2);
	colon = memchr(text.p, ':', text.n);
	if (colon == NULL)
		return false;
	n = (size_t)(colon - text.p);
	if (!number_parse((struct span){text.p, n}, &first) ||
	    !number_parse(span_from(text, n + 1), &last) || first < 1 ||
	    last < first)
		return false;
	*scope = scope_range(first, last);
	return true;
}
