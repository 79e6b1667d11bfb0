#include "unit.h"

static void
starts_empty(struct arena *arena)
{
	struct buf none = buf_new(arena, 0), some = buf_new(arena, 100);

	assert_int_equal(buf_span(&none).n, 0);
	assert_non_null(buf_span(&none).p);
	assert_int_equal(buf_span(&some).n, 0);
	buf_char(&none, 'x');
	ASSERT_TEXT(buf_span(&none), "x");
}

static void
appends_in_order(struct arena *arena)
{
	struct buf buf = buf_new(arena, 1);

	buf_str(&buf, "one");
	buf_char(&buf, ' ');
	buf_add(&buf, SPAN("t\0wo"));
	buf_str(&buf, "");
	buf_add(&buf, SPAN(""));
	memcpy(buf_grow(&buf, 5), " tres", 5);
	buf_grow(&buf, 0);
	ASSERT_SPAN(buf_span(&buf), SPAN("one t\0wo tres"));
}

static void
numbers_are_decimal(struct arena *arena)
{
	static const struct {
		uint64_t number;
		const char *text;
	} rows[] = {
		{0, "0"},
		{1, "1"},
		{9, "9"},
		{10, "10"},
		{100, "100"},
		{4294967296, "4294967296"},
		{9007199254740993, "9007199254740993"},
		{UINT64_MAX - 1, "18446744073709551614"},
		{UINT64_MAX, "18446744073709551615"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct buf buf = buf_new(arena, 0);

		buf_u64(&buf, rows[i].number);
		ASSERT_TEXT(buf_span(&buf), rows[i].text);
	}
}

/* One piece that is much larger than what doubling would give. */
static void
grows_at_once_when_needed(struct arena *arena)
{
	struct buf buf = buf_new(arena, 4);
	char *room;

	buf_str(&buf, "abc");
	room = buf_grow(&buf, 1000000);
	memset(room, 'x', 1000000);
	buf_char(&buf, '!');
	assert_int_equal(buf_span(&buf).n, 1000004);
	assert_memory_equal(buf_span(&buf).p, "abcxxx", 6);
	assert_int_equal(buf_span(&buf).p[1000002], 'x');
	assert_int_equal(buf_span(&buf).p[1000003], '!');
}

static void
holds_what_many_appends_gave(struct arena *arena)
{
	enum { TOTAL = 200000 };
	struct chance chance = chance_new(1);
	struct buf buf = buf_new(arena, 0);
	char *expected = malloc(TOTAL);
	size_t n = 0;

	assert_non_null(expected);
	for (size_t i = 0; i < TOTAL; i++)
		expected[i] = (char)chance_below(&chance, 256);
	while (n < TOTAL) {
		size_t piece = chance_below(&chance, 300);

		if (piece > TOTAL - n)
			piece = TOTAL - n;
		buf_add(&buf, (struct span){expected + n, piece});
		n += piece;
	}
	ASSERT_SPAN(buf_span(&buf), span_of(expected, TOTAL));
	free(expected);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(starts_empty),
		TEST(appends_in_order),
		TEST(numbers_are_decimal),
		TEST(grows_at_once_when_needed),
		TEST(holds_what_many_appends_gave),
	};

	return RUN_TESTS(tests);
}
