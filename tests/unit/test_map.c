#include "unit.h"

#include "base/map.h"
#include "base/name_hash.h"

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

/* Of 0, 1, 2 ... bytes 00 01 02 ..., by the key 00 01 ... 0f. */
static const uint64_t siphash13[] = {
    UINT64_C(0xabac0158050fc4dc),
    UINT64_C(0xc9f49bf37d57ca93),
    UINT64_C(0x82cb9b024dc7d44d),
    UINT64_C(0x8bf80ab8e7ddf7fb),
    UINT64_C(0xcf75576088d38328),
    UINT64_C(0xdef9d52f49533b67),
    UINT64_C(0xc50d2b50c59f22a7),
    UINT64_C(0xd3927d989bb11140),
    UINT64_C(0x369095118d299a8e),
    UINT64_C(0x25a48eb36c063de4),
    UINT64_C(0x79de85ee92ff097f),
    UINT64_C(0x70c118c1f94dc352),
    UINT64_C(0x78a384b157b4d9a2),
    UINT64_C(0x306f760c1229ffa7),
    UINT64_C(0x605aa111c0f95d34),
    UINT64_C(0xd320d86d2a519956),
    UINT64_C(0xcc4fdd1a7d908b66),
};

/* SipHash-1-3 as others have it. */
static void
f5_numbers_of_names(struct arena *arena)
{
	const struct name_key key = {UINT64_C(0x0706050403020100),
	    UINT64_C(0x0f0e0d0c0b0a0908)};
	char bytes[16];

	(void)arena;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)i;
	for (size_t n = 0; n < COUNT_OF(siphash13); n++)
		CHECK(name_hash_by(key, span_of(bytes, n)) == siphash13[n],
		    "%zu bytes", n);
}

/* F5: nobody outside can tell where a name falls. */
static void
f5_numbers_depend_on_a_key(struct arena *arena)
{
	const struct name_key one = {1, 2}, other = {1, 3}, third = {2, 2};
	const struct name_key none = {0, 0};
	struct span name = SPAN("e0000001");

	(void)arena;
	assert_true(name_hash(name) == name_hash(SPAN("e0000001")));
	assert_true(name_hash(name) != name_hash_by(none, name));
	assert_true(name_hash_by(one, name) != name_hash_by(other, name));
	assert_true(name_hash_by(one, name) != name_hash_by(third, name));
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
		TEST(f5_numbers_of_names),
		TEST(f5_numbers_depend_on_a_key),
	};

	return RUN_TESTS(tests);
}
