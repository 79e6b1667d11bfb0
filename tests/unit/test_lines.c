#include "unit.h"

#include "base/lines.h"

static void
counts_as_the_host_does(struct arena *arena)
{
	static const struct {
		struct span text;
		uint64_t lines;
	} rows[] = {
		{LIT(""), 1},
		{LIT("\n"), 2},
		{LIT("one"), 1},
		{LIT("one\n"), 2},
		{LIT("one\ntwo"), 2},
		{LIT("one\ntwo\n"), 3},
		{LIT("\n\n\n"), 4},
		{LIT("one\r\ntwo\r\n"), 3},
		/* Only LF separates: CR, FF, U+0085 and U+2028 do not. */
		{LIT("a\rb\fc\vd\xc2\x85""e\xe2\x80\xa8""f"), 1},
		{LIT("a\0b\n\0"), 2},
	};

	(void)arena;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK(lines_count(rows[i].text) == rows[i].lines,
		    "row %zu: %llu lines", i,
		    (unsigned long long)lines_count(rows[i].text));
}

static void
slices_by_hand(struct arena *arena)
{
	static const struct {
		const char *text;
		uint64_t first, last;
		const char *slice; /* NULL: there is none */
	} rows[] = {
		{"", 1, 1, ""},
		{"", 1, 2, NULL},
		{"", 2, 2, NULL},
		{"\n", 1, 1, ""},
		{"\n", 2, 2, ""},
		{"\n", 1, 2, "\n"},
		{"\n", 3, 3, NULL},
		{"a\nb\nc\n", 1, 1, "a"},
		{"a\nb\nc\n", 2, 3, "b\nc"},
		{"a\nb\nc\n", 1, 4, "a\nb\nc\n"},
		{"a\nb\nc\n", 4, 4, ""},
		{"a\nb\nc\n", 3, 5, NULL},
		{"a\nb\nc", 3, 3, "c"},
		{"a\nb\nc", 3, 4, NULL},
		{"a\r\nb\r\n", 1, 1, "a\r"},
		{"a", 9007199254740991, 9007199254740991, NULL},
		{"a", 1, 9007199254740991, NULL},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct span text = unit_exact(arena, span_str(rows[i].text));
		struct span slice;
		bool found = lines_slice(text, rows[i].first, rows[i].last,
		    &slice);

		CHECK(found == (rows[i].slice != NULL), "row %zu", i);
		if (found)
			ASSERT_TEXT(slice, rows[i].slice);
	}
}

/* Where line NUMBER begins, found by counting byte by byte. */
static size_t
start_of(struct span text, uint64_t number)
{
	size_t at = 0;

	while (number > 1)
		if (text.p[at++] == '\n')
			number--;
	return at;
}

static void
check_all_slices(struct span text)
{
	uint64_t total = lines_count(text);

	for (uint64_t first = 1; first <= total + 1; first++) {
		for (uint64_t last = first; last <= total + 2; last++) {
			struct span slice, want;
			bool found = lines_slice(text, first, last, &slice);

			CHECK(found == (last <= total), "%llu-%llu of %llu",
			    (unsigned long long)first,
			    (unsigned long long)last,
			    (unsigned long long)total);
			if (!found)
				continue;
			want.p = text.p + start_of(text, first);
			want.n = last == total
			    ? (size_t)(text.p + text.n - want.p)
			    : start_of(text, last + 1) - 1 -
				(size_t)(want.p - text.p);
			ASSERT_SPAN(slice, want);
		}
	}
}

static void
slices_of_random_texts(struct arena *arena)
{
	struct chance chance = chance_new(2);

	for (int round = 0; round < 500; round++) {
		char bytes[24];
		struct span text = {bytes, chance_below(&chance, 25)};

		for (size_t i = 0; i < text.n; i++)
			bytes[i] = "\n\nab\r"[chance_below(&chance, 5)];
		check_all_slices(unit_exact(arena, text));
	}
}

/* An index finds the same lines, however many there are. */
static void
f5_slices_by_an_index(struct arena *arena)
{
	struct chance chance = chance_new(3);

	for (int round = 0; round < 200; round++) {
		char bytes[400];
		struct span text = {bytes, chance_below(&chance, 400)};
		struct lines lines;

		for (size_t i = 0; i < text.n; i++)
			bytes[i] = "\n\nab"[chance_below(&chance, 4)];
		lines = lines_index(arena, unit_exact(arena, text));
		assert_int_equal(lines.n, lines_count(text));
		for (int i = 0; i < 100; i++) {
			uint64_t first = 1 + chance_below(&chance, lines.n + 2);
			uint64_t last = first + chance_below(&chance, lines.n);
			struct span have, want;
			bool found = lines_find(&lines, first, last, &have);

			assert_int_equal(found,
			    lines_slice(lines.text, first, last, &want));
			if (found)
				ASSERT_SPAN(have, want);
		}
	}
}

static void
are_taken_one_by_one(struct arena *arena)
{
	struct span text = unit_exact(arena, SPAN("one\n\ntwo\r\nend"));

	ASSERT_TEXT(lines_take(&text), "one");
	ASSERT_TEXT(lines_take(&text), "");
	ASSERT_TEXT(lines_take(&text), "two\r");
	ASSERT_TEXT(lines_take(&text), "end");
	assert_int_equal(text.n, 0);
	ASSERT_TEXT(lines_take(&text), "");
	text = unit_exact(arena, SPAN("last\n"));
	ASSERT_TEXT(lines_take(&text), "last");
	assert_int_equal(text.n, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(counts_as_the_host_does),
		TEST(slices_by_hand),
		TEST(slices_of_random_texts),
		TEST(f5_slices_by_an_index),
		TEST(are_taken_one_by_one),
	};

	return RUN_TESTS(tests);
}
