#include "unit.h"

#include "replay/gaps.h"

static struct budget plenty = {UINT64_MAX};

enum { LINES = 40 };

/* The same lines, one by one. */
struct bitmap {
	bool open[LINES + 1]; /* by number; not accounted for */
};

static struct bitmap
bitmap_new(uint64_t first, uint64_t last)
{
	struct bitmap map = {{false}};

	for (uint64_t line = first; line <= last; line++)
		map.open[line] = true;
	return map;
}

static void
bitmap_fill(struct bitmap *map, uint64_t first, uint64_t last)
{
	for (uint64_t line = first; line <= last && line <= LINES; line++)
		map->open[line] = false;
}

/* The gaps are the map's, in order, none empty, none touching another. */
static void
compare(const struct gaps *gaps, const struct bitmap *map)
{
	const struct gap *gap = gaps->list;
	uint64_t line = 1;

	for (; gap != NULL; gap = gap->next) {
		CHECK(gap->first <= gap->last && gap->last <= LINES,
		    "a gap from %llu to %llu", (unsigned long long)gap->first,
		    (unsigned long long)gap->last);
		CHECK(gap->first >= line, "gaps touch at %llu",
		    (unsigned long long)line);
		for (; line < gap->first; line++)
			CHECK(!map->open[line], "line %llu is no gap",
			    (unsigned long long)line);
		for (; line <= gap->last; line++)
			CHECK(map->open[line], "line %llu is in a gap",
			    (unsigned long long)line);
		if (line <= LINES)
			CHECK(!map->open[line], "the gap goes on at %llu",
			    (unsigned long long)line);
		line++;
	}
	for (; line <= LINES; line++)
		CHECK(!map->open[line], "line %llu is in no gap",
		    (unsigned long long)line);
}

static void
at_random(struct arena *arena)
{
	struct chance chance = chance_new(16);

	for (int round = 0; round < 4000; round++) {
		uint64_t first = 1 + chance_below(&chance, LINES);
		uint64_t last = first +
		    chance_below(&chance, LINES - first + 1);
		struct gaps gaps = gaps_new(arena, &plenty, first, last);
		struct bitmap map = bitmap_new(first, last);

		compare(&gaps, &map);
		for (int i = 0; i < 12; i++) {
			uint64_t from = 1 + chance_below(&chance, LINES);
			uint64_t to = from + chance_below(&chance, 9);

			gaps_fill(&gaps, from, to);
			bitmap_fill(&map, from, to);
			compare(&gaps, &map);
		}
		gaps_fill(&gaps, 1, LINES);
		assert_true(gaps_none(&gaps));
		arena_reset(arena);
	}
}

static void
nothing_to_account_for(struct arena *arena)
{
	struct gaps gaps = gaps_new(arena, &plenty, 5, 4);

	assert_true(gaps_none(&gaps));
	gaps_fill(&gaps, 1, 10);
	assert_true(gaps_none(&gaps));
}

/* A refresh of the whole file goes to the last line there can be. */
static void
the_largest_numbers(struct arena *arena)
{
	struct gaps gaps = gaps_new(arena, &plenty, 1, UINT64_MAX);

	gaps_fill(&gaps, 10, UINT64_MAX);
	assert_false(gaps_none(&gaps));
	assert_int_equal(gaps.list->last, 9);
	assert_null(gaps.list->next);
	gaps_fill(&gaps, 1, 9);
	assert_true(gaps_none(&gaps));
	gaps = gaps_new(arena, &plenty, UINT64_MAX, UINT64_MAX);
	gaps_fill(&gaps, 1, UINT64_MAX - 1);
	assert_false(gaps_none(&gaps));
	gaps_fill(&gaps, UINT64_MAX, UINT64_MAX);
	assert_true(gaps_none(&gaps));
}

/* An empty range accounts for nothing. */
static void
filling_with_nothing(struct arena *arena)
{
	struct gaps gaps = gaps_new(arena, &plenty, 1, 9);
	struct bitmap map = bitmap_new(1, 9);

	gaps_fill(&gaps, 10, 12);
	compare(&gaps, &map);
	gaps_fill(&gaps, 20, 15);
	compare(&gaps, &map);
}

static void
which_lines_are_touched(struct arena *arena)
{
	struct gaps gaps = gaps_new(arena, &plenty, 1, 100);

	gaps_fill(&gaps, 10, 19);
	gaps_fill(&gaps, 40, UINT64_MAX);
	assert_true(gaps_touch(&gaps, 9, 12));
	assert_true(gaps_touch(&gaps, 19, 20));
	assert_true(gaps_touch(&gaps, 5, 90));
	assert_false(gaps_touch(&gaps, 10, 19));
	assert_false(gaps_touch(&gaps, 40, UINT64_MAX));
}

/* Without means to look, no line counts as accounted for. */
static void
nothing_is_filled_on_credit(struct arena *arena)
{
	struct budget little = {3};
	struct gaps gaps = gaps_new(arena, &little, 1, 100);

	gaps_fill(&gaps, 10, 10);
	gaps_fill(&gaps, 20, 20);
	assert_int_equal(little.left, 0);
	gaps_fill(&gaps, 1, 100);
	assert_int_equal(gaps.list->last, 9);
	assert_true(gaps_touch(&gaps, 10, 10));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(which_lines_are_touched),
		TEST(nothing_is_filled_on_credit),
		TEST(at_random),
		TEST(nothing_to_account_for),
		TEST(the_largest_numbers),
		TEST(filling_with_nothing),
	};

	return RUN_TESTS(tests);
}
