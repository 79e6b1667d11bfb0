#include "config/match.h"

#include "base/buf.h"
#include "os/fold.h"

/*
 * Append TEXT with every "**" and the slash after it replaced by one star.
 * That matches too much if something stands directly before the last component.
 * Matching too little would be worse.
 */
static void
write_glob(struct buf *glob, struct span text)
{
	while (text.n > 0) {
		if (span_starts(text, SPAN("**/"))) {
			buf_char(glob, '*');
			text = span_from(text, 3);
		} else {
			buf_char(glob, text.p[0]);
			text = span_from(text, 1);
		}
	}
}

/* TEXT as a glob for what is below a directory, with a slash before it. */
static const char *
make_glob(struct arena *arena, struct span text)
{
	struct buf glob = buf_new(arena, text.n + 2);

	while (text.n > 1 && text.p[text.n - 1] == '/')
		text.n--; /* what is below a match is matched anyway */
	if (span_starts(text, SPAN("**/"))) {
		/* At any depth, but still a whole component. */
		buf_char(&glob, '*');
		text = span_from(text, 3);
	}
	buf_char(&glob, '/');
	write_glob(&glob, text);
	return arena_cstr(arena, buf_span(&glob));
}

struct pattern
pattern_make(struct arena *arena, struct span text, struct span home)
{
	struct pattern pattern = {.text = text, .kind = PATTERN_BELOW};

	if (!span_has(text, '/')) {
		pattern.kind = PATTERN_NAME;
		pattern.glob = arena_cstr(arena, text);
		return pattern;
	}
	if (span_starts(text, SPAN("~/")) && home.n > 0) {
		pattern.kind = PATTERN_HOME;
		text = span_from(text, 2);
	} else if (text.p[0] == '/') {
		pattern.kind = PATTERN_ANYWHERE;
		text = span_from(text, 1);
	} else if (span_starts(text, SPAN("./"))) {
		text = span_from(text, 2);
	}
	pattern.glob = make_glob(arena, text);
	return pattern;
}

static bool
glob_matches(const char *glob, const char *text, enum fold_what what)
{
	return text != NULL && fold_match(glob, text, what);
}

bool
pattern_matches(const struct pattern *pattern, const char *path,
    const char *below)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;

	switch (pattern->kind) {
	case PATTERN_NAME:
		return glob_matches(pattern->glob, name, FOLD_ALL);
	case PATTERN_ANYWHERE:
		if (glob_matches(pattern->glob, path, FOLD_ABOVE))
			return true;
		break;
	case PATTERN_BELOW:
	case PATTERN_HOME:
		break;
	}
	return glob_matches(pattern->glob, below, FOLD_ABOVE);
}
