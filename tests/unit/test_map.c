#include "unit.h"

#include "base/map.h"

static void
is_empty_at_first(struct arena *arena)
{
	const struct map *map = map_new(arena, 0);

	assert_null(map_find(map, SPAN("")));
	assert_null(map_find(map, SPAN("a")));
}

static void
remembers_numbers(struct arena *arena)
{
	struct map *map = map_new(arena, 4);

	assert_int_equal(*map_at(map, SPAN("one"), 1), 1);
	assert_int_equal(*map_at(map, SPAN("two"), 2), 2);
	/* The initial number is for new names only. */
	assert_int_equal(*map_at(map, SPAN("one"), 99), 1);
	*map_at(map, SPAN("one"), 0) = 11;
	assert_int_equal(*map_find(map, SPAN("one")), 11);
	assert_int_equal(*map_find(map, SPAN("two")), 2);
	*map_find(map, SPAN("two")) = UINT64_MAX;
	assert_true(*map_at(map, SPAN("two"), 0) == UINT64_MAX);
	assert_null(map_find(map, SPAN("three")));
	assert_null(map_find(map, SPAN("on")));
	assert_null(map_find(map, SPAN("ones")));
}

static void
names_are_bytes(struct arena *arena)
{
	static const struct span names[] = {LIT(""), LIT("\0"), LIT("\0\0"),
		LIT("a"), LIT("a\0"), LIT("a\0b"), LIT("A"), LIT("\xff"),
		LIT("\xff\xff")};
	struct map *map = map_new(arena, 0);

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		assert_null(map_find(map, names[i]));
		assert_int_equal(*map_at(map, names[i], i), i);
	}
	for (size_t i = 0; i < COUNT_OF(names); i++)
		assert_int_equal(*map_find(map, names[i]), i);
}

/* The same name from another place in memory is the same name. */
static void
names_are_compared_by_content(struct arena *arena)
{
	struct map *map = map_new(arena, 0);
	char here[] = "name", there[] = "name";

	*map_at(map, span_str(here), 0) = 5;
	assert_int_equal(*map_find(map, span_str(there)), 5);
}

static void
grows_beyond_what_was_expected(struct arena *arena)
{
	enum { NAMES = 20000 };
	struct map *map = map_new(arena, 3);
	char text[32];

	for (uint64_t i = 0; i < NAMES; i++) {
		int n = snprintf(text, sizeof(text), "entry-%llu",
		    (unsigned long long)i);
		struct span name = {arena_cstr(arena,
		    span_of(text, (size_t)n)), (size_t)n};

		assert_null(map_find(map, name));
		assert_int_equal(*map_at(map, name, i * 3), i * 3);
	}
	for (uint64_t i = 0; i < NAMES + 100; i++) {
		const uint64_t *found;

		(void)snprintf(text, sizeof(text), "entry-%llu",
		    (unsigned long long)i);
		found = map_find(map, span_str(text));
		if (i >= NAMES)
			assert_null(found);
		else
			CHECK(found != NULL && *found == i * 3, "%s", text);
	}
}

/* Against a list that is searched from end to end. */
static void
agrees_with_a_list(struct arena *arena)
{
	enum { MOST = 300 };
	struct chance chance = chance_new(4);
	struct map *map = map_new(arena, 1);
	struct span names[MOST];
	uint64_t numbers[MOST];
	size_t n = 0;

	for (int step = 0; step < 20000; step++) {
		char text[3];
		struct span name = {text, chance_below(&chance, 4)};
		uint64_t number = chance_next(&chance);
		const uint64_t *found;
		size_t at = 0;

		for (size_t i = 0; i < name.n; i++)
			text[i] = (char)('a' + chance_below(&chance, 6));
		found = map_find(map, name);
		while (at < n && !span_eq(names[at], name))
			at++;
		CHECK((found != NULL) == (at < n), "step %d", step);
		if (found != NULL)
			assert_true(*found == numbers[at]);
		if (chance_below(&chance, 3) > 0)
			continue;
		if (at == n)
			names[n++] = name = span_of(arena_cstr(arena, name),
			    name.n);
		*map_at(map, name, 0) = numbers[at] = number;
	}
	assert_true(n > 200); /* 1 + 6 + 36 + 216 are possible */
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(is_empty_at_first),
		TEST(remembers_numbers),
		TEST(names_are_bytes),
		TEST(names_are_compared_by_content),
		TEST(grows_beyond_what_was_expected),
		TEST(agrees_with_a_list),
	};

	return RUN_TESTS(tests);
}
