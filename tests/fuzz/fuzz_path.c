/*
 * What a model may write as a path: "CWD NUL HOME NUL PATH".
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "path/exclude.h"
#include "path/name.h"
#include "path/range.h"
#include "path/variants.h"

/* Absolute, and nothing in it that could still be resolved. */
static bool
is_normal(struct span name)
{
	if (name.n == 0 || name.p[0] != '/')
		return false;
	if (name.n == 1)
		return true;
	while (name.n > 0) {
		struct span part;

		name = span_from(name, 1);
		part = fuzz_part(&name, '/');
		if (part.n == 0 || span_eq(part, SPAN(".")) ||
		    span_eq(part, SPAN("..")))
			return false;
		if (name.n == 0)
			break;
		name = (struct span){name.p - 1, name.n + 1};
	}
	return true;
}

static void
check_range(struct arena *arena, struct span path)
{
	struct range range;
	struct span message;

	switch (range_split(path, &range)) {
	case RANGE_NONE:
		return;
	case RANGE_GOOD:
		EXPECT(range.first >= 1);
		EXPECT(range.last == 0 || range.last >= range.first);
		break;
	case RANGE_BAD:
		message = range_message(arena, &range);
		EXPECT(span_starts(message, SPAN("Invalid range")));
		break;
	}
	EXPECT(range.path.n + 1 + range.suffix.n == path.n);
	EXPECT(span_starts(path, range.path));
	EXPECT(path.p[range.path.n] == ':');
	EXPECT(!span_has(range.suffix, '/') && !span_has(range.suffix, ':'));
}

static void
check_name(struct arena *arena, struct span name)
{
	struct span others[VARIANTS];
	size_t n = variants(arena, name, others);

	EXPECT(n <= VARIANTS);
	for (size_t i = 0; i < n; i++) {
		EXPECT(!span_eq(others[i], name));
		EXPECT(others[i].n > 0 && others[i].p[0] == '/');
		if (utf8_valid(name))
			EXPECT(utf8_valid(others[i]));
	}
	(void)exclude_matches(name);
}

void
fuzz_one(struct arena *arena, struct span input)
{
	struct span cwd = fuzz_part(&input, '\0');
	struct span home = fuzz_part(&input, '\0');
	struct name_error error = {NULL, SPAN("")};
	struct span name;

	check_range(arena, input);
	/* A request's cwd is absolute, and so is a home that is used. */
	if (cwd.n == 0 || cwd.p[0] != '/')
		cwd = SPAN("/work");
	if (home.n == 0 || home.p[0] != '/')
		home = SPAN("/home/me");
	EXPECT(is_normal(name_normalize(arena, cwd)));
	switch (name_resolve(arena, input, cwd, home, &name, &error)) {
	case NAME_OK:
		EXPECT(is_normal(name));
		EXPECT(span_eq(name_normalize(arena, name), name));
		EXPECT(!span_has(name, '\0'));
		check_name(arena, name);
		break;
	case NAME_REFUSED:
		EXPECT(error.code != NULL && error.message.n > 0);
		break;
	case NAME_UNUSUAL:
		break;
	}
}
