#include "unit.h"

#include "base/seen.h"

static struct span
number_name(char name[24], unsigned n)
{
	int size = snprintf(name, 24, "%08x", n * 2654435761u);

	return (struct span){name, (size_t)size};
}

static void
is_empty_at_first(struct arena *arena)
{
	const struct seen *seen = seen_new(arena);

	assert_false(seen_has(seen, SPAN("")));
	assert_false(seen_has(seen, SPAN("a")));
}

static void
remembers_names(struct arena *arena)
{
	struct seen *seen = seen_new(arena);

	seen_add(seen, SPAN("one"));
	seen_add(seen, SPAN("one"));
	seen_add(seen, SPAN(""));
	seen_add(seen, SPAN("a\0b"));
	assert_true(seen_has(seen, SPAN("one")));
	assert_true(seen_has(seen, SPAN("")));
	assert_true(seen_has(seen, SPAN("a\0b")));
	assert_false(seen_has(seen, SPAN("a\0c")));
	assert_false(seen_has(seen, SPAN("on")));
}

static void
many_names(struct arena *arena)
{
	struct seen *seen = seen_new(arena);
	char name[24];

	for (unsigned n = 0; n < 200000; n += 2)
		seen_add(seen, number_name(name, n));
	for (unsigned n = 0; n < 200000; n++)
		CHECK(seen_has(seen, number_name(name, n)) == (n % 2 == 0),
		    "name %u", n);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(is_empty_at_first),
		TEST(remembers_names),
		TEST(many_names),
	};

	return RUN_TESTS(tests);
}
