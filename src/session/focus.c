#include "session/focus.h"

#include "os/bytes.h"

struct span
focus_part(struct span path)
{
	const char *slash = bytes_last(path.p, '/', path.n);
	const char *colon;

	if (slash != NULL)
		path = span_from(path, (size_t)(slash - path.p) + 1);
	colon = bytes_last(path.p, ':', path.n);
	return colon != NULL ? (struct span){path.p, (size_t)(colon - path.p)}
			     : path;
}

bool
focus_part_is_name(struct span path)
{
	struct span part = focus_part(path);

	for (size_t i = 0; i < path.n; i++)
		if (path.p[i] <= ' ' || path.p[i] == '%' ||
		    path.p[i] == '\'' || path.p[i] > '~')
			return false;
	return part.n > 0 && path.p[0] != '@' &&
	    !span_starts(path, SPAN("file:")) && !span_eq(part, SPAN(".")) &&
	    !span_eq(part, SPAN(".."));
}

static bool
same_last_part(struct span a, struct span b)
{
	return span_eq(focus_part(a), focus_part(b));
}

bool
focus_has_part(const struct focus *focus, struct span path)
{
	return same_last_part(path, focus->name) ||
	    same_last_part(path, focus->path);
}

bool
focus_asked(const struct focus *focus, struct span asked)
{
	return focus->path.n == 0 ||
	    (asked.n > 0 && (!focus_part_is_name(asked) ||
				focus_has_part(focus, asked)));
}
