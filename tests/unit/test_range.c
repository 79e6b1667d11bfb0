#include "unit.h"

#include "path/range.h"

static const struct {
	struct span text;
	enum range_suffix suffix;
	struct span path;
	uint64_t first, last;
} rows[] = {
	{LIT(""), RANGE_NONE, LIT(""), 0, 0},
	{LIT("a.txt"), RANGE_NONE, LIT(""), 0, 0},
	{LIT("a-12"), RANGE_NONE, LIT(""), 0, 0},
	/* The colon belongs to a directory's name. */
	{LIT("a:12/b"), RANGE_NONE, LIT(""), 0, 0},
	{LIT("a:x/b:c/d"), RANGE_NONE, LIT(""), 0, 0},
	{LIT("a:x/b:12"), RANGE_GOOD, LIT("a:x/b"), 12, 0},
	{LIT("a:12"), RANGE_GOOD, LIT("a"), 12, 0},
	{LIT("a:1"), RANGE_GOOD, LIT("a"), 1, 0},
	{LIT("a:12-40"), RANGE_GOOD, LIT("a"), 12, 40},
	{LIT("a:12-12"), RANGE_GOOD, LIT("a"), 12, 12},
	{LIT("dir/a b:3-4"), RANGE_GOOD, LIT("dir/a b"), 3, 4},
	/* The last colon counts. */
	{LIT("a:b:5"), RANGE_GOOD, LIT("a:b"), 5, 0},
	{LIT("a:5:6"), RANGE_GOOD, LIT("a:5"), 6, 0},
	{LIT("a:5:x"), RANGE_BAD, LIT("a:5"), 0, 0},
	{LIT(":5"), RANGE_GOOD, LIT(""), 5, 0},
	{LIT("a:9007199254740991"), RANGE_GOOD, LIT("a"), 9007199254740991, 0},
	/* What is no range. */
	{LIT("a:"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:-"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:5-"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:-5"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:5-4"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:0"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:0-5"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:5-0"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:05"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:5-06"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:+5"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:5 "), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a: 5"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:5-6-7"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:5--6"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:5.0"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:5,6"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:x"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:5\0"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:9007199254740992"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:1-9007199254740992"), RANGE_BAD, LIT("a"), 0, 0},
	{LIT("a:99999999999999999999"), RANGE_BAD, LIT("a"), 0, 0},
};

static void
splitting(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct range range = {.first = 77, .last = 77};
		enum range_suffix suffix = range_split(
		    unit_exact(arena, rows[i].text), &range);

		CHECK(suffix == rows[i].suffix, "\"%s\"", rows[i].text.p);
		if (suffix == RANGE_NONE)
			continue;
		ASSERT_SPAN(range.path, rows[i].path);
		ASSERT_SPAN(range.suffix,
		    span_from(rows[i].text, rows[i].path.n + 1));
		if (suffix == RANGE_BAD)
			continue;
		CHECK(range.first == rows[i].first &&
			range.last == rows[i].last,
		    "\"%s\"", rows[i].text.p);
	}
}

/* It begins with the words of the contract and shows what was wrong. */
static void
message(struct arena *arena)
{
	struct range range;
	const char *text;

	assert_int_equal(range_split(SPAN("dir/a.c:9-3"), &range), RANGE_BAD);
	text = arena_cstr(arena, range_message(arena, &range));
	assert_ptr_equal(strstr(text, "Invalid range"), text);
	assert_non_null(strstr(text, "9-3"));
	assert_non_null(strstr(text, "dir/a.c"));
	assert_null(strchr(text, '\n'));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(splitting),
		TEST(message),
	};

	return RUN_TESTS(tests);
}
