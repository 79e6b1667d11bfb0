#include "config/match.h"

#include "base/buf.h"
#include "os/fold.h"
#include "path/name.h"

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

/* Append DIR, which is the name of a directory, not a pattern. */
static void
write_literal(struct buf *glob, struct span dir)
{
	for (size_t i = 0; i < dir.n; i++) {
		if (span_has(SPAN("*?[\\"), dir.p[i]))
			buf_char(glob, '\\');
		buf_char(glob, dir.p[i]);
	}
}

/* TEXT as a glob for what is below DIR, with a slash after DIR. */
static const char *
make_glob(struct arena *arena, struct span dir, struct span text)
{
	struct buf glob = buf_new(arena, dir.n + text.n + 2);

	while (text.n > 1 && text.p[text.n - 1] == '/')
		text.n--; /* what is below a match is matched anyway */
	write_literal(&glob, dir);
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
		home = name_normalize(arena, home);
		pattern.kind = PATTERN_ABSOLUTE;
		pattern.glob = make_glob(arena,
		    home.n > 1 ? home : SPAN(""), span_from(text, 2));
		return pattern;
	}
	if (text.p[0] == '/') {
		pattern.kind = PATTERN_ANYWHERE;
		text = span_from(text, 1);
	} else if (span_starts(text, SPAN("./"))) {
		text = span_from(text, 2);
	}
	pattern.glob = make_glob(arena, SPAN(""), text);
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
	case PATTERN_BELOW:
		return glob_matches(pattern->glob, below, FOLD_ABOVE);
	case PATTERN_ANYWHERE:
		if (glob_matches(pattern->glob, below, FOLD_ABOVE))
			return true;
		break;
	case PATTERN_ABSOLUTE:
		break;
	}
	return glob_matches(pattern->glob, path, FOLD_ABOVE);
}
