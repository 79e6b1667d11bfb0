#include "unit_view.h"

#include "base/lines.h"
#include "host/pi/recorded.h"

/* The text of a read that the host itself gave, and back. */
static void
check_back(
    struct arena *arena, struct span bytes, uint64_t offset, uint64_t limit)
{
	struct buf text = buf_new(arena, bytes.n + 256);
	struct view made, back;
	bool told;

	if (!unit_view(bytes, offset > 0 ? offset : 1, limit, &made))
		return;
	view_write(&text, &made, SPAN("some/path.txt"));
	told = recorded_view(
	    arena, unit_exact(arena, buf_span(&text)), offset, limit, &back);
	if (made.notice == VIEW_FIRST_TOO_LONG) {
		CHECK(!told, "offset %llu: a line too long is no view",
		    (unsigned long long)offset);
		return;
	}
	CHECK(told, "not told: offset %llu limit %llu of %llu lines, %zu bytes",
	    (unsigned long long)offset, (unsigned long long)limit,
	    (unsigned long long)made.total, bytes.n);
	CHECK(made.first == back.first && made.last == back.last &&
		  made.total == back.total && made.notice == back.notice,
	    "offset %llu limit %llu: lines %llu-%llu of %llu (%d) are taken "
	    "for %llu-%llu of %llu (%d)",
	    (unsigned long long)offset, (unsigned long long)limit,
	    (unsigned long long)made.first, (unsigned long long)made.last,
	    (unsigned long long)made.total, (int)made.notice,
	    (unsigned long long)back.first, (unsigned long long)back.last,
	    (unsigned long long)back.total, (int)back.notice);
	ASSERT_SPAN(back.text, made.text);
}

static void
small_files(struct arena *arena)
{
	static const struct span files[] = {
	    LIT(""),
	    LIT("\n"),
	    LIT("a"),
	    LIT("a\n"),
	    LIT("\n\n"),
	    LIT("a\nb\nc"),
	    LIT("a\nb\nc\n"),
	    LIT("\n\n\n\n"),
	    LIT("a\r\nb\r\n"),
	    LIT("x\0y\nz"),
	    LIT("[1,\n2]\n"),
	    LIT("a\n\n[b]"),
	    LIT("a\n\n[b]\n"),
	    LIT("[]\n\n[]"),
	    LIT("]"),
	    LIT("\n\n]"),
	    LIT("\n\n["),
	    LIT("a\n\n[3 more lines in file. Use offset=2 to continue.]"),
	    LIT("a\n\n[more]\nb\n"),
	    LIT("(\n\n... ("),
	    LIT("a\n\n... (b)\n"),
	    LIT("[Line 1\n"),
	    LIT("[Line | 1\nx"),
	};

	for (size_t i = 0; i < COUNT_OF(files); i++)
		for (uint64_t offset = 0; offset <= 6; offset++)
			for (uint64_t limit = 0; limit <= 6; limit++)
				check_back(arena, files[i], offset, limit);
}

static void
a_first_line_too_long(struct arena *arena)
{
	struct span x = unit_repeat(arena, SPAN("x"), VIEW_MAX_BYTES + 1);
	struct span file = unit_join(
	    arena, SPAN("a\nb\n"), unit_join(arena, x, SPAN("\nc\n")));

	check_back(arena, x, 0, 0);
	check_back(arena, x, 1, 0);
	check_back(arena, file, 3, 0);
	check_back(arena, file, 3, 1);
	check_back(arena, file, 3, 2);
	check_back(arena, file, 0, 0); /* cut before it */
	check_back(arena, file, 2, 0);
}

static void
around_the_limits(struct arena *arena)
{
	for (size_t n = VIEW_MAX_LINES - 2; n <= VIEW_MAX_LINES + 2; n++) {
		struct span lf = unit_repeat(arena, SPAN("l\n"), n);

		check_back(arena, lf, 0, 0);
		check_back(arena, lf, 1, n);
		check_back(arena, lf, 2, 0);
		check_back(arena, unit_join(arena, lf, SPAN("x")), 0, 0);
		check_back(arena, unit_join(arena, lf, SPAN("x\ny\n")), 0,
		    VIEW_MAX_LINES);
		check_back(arena, unit_join(arena, lf, lf), 5, 0);
		check_back(arena, unit_join(arena, lf, lf), 5, 2500);
	}
	for (size_t n = VIEW_MAX_BYTES - 2; n <= VIEW_MAX_BYTES + 2; n++) {
		struct span x = unit_repeat(arena, SPAN("x"), n - 5);
		struct span file = unit_join(arena, SPAN("abc\n"), x);

		check_back(arena, file, 0, 0);
		check_back(arena, unit_join(arena, file, SPAN("\n")), 0, 0);
		check_back(arena, unit_join(arena, file, SPAN("\n\n")), 0, 0);
		check_back(arena, unit_join(arena, file, SPAN("\nz")), 1, 2);
	}
}

static struct span
random_file(struct arena *arena, struct chance *chance)
{
	static const char *const odd[] = {"", "]", "[x]", "[", "\r", "(",
	    "... (1 more lines not shown. Use offset=2 to continue reading)",
	    "[2 more lines in file. Use offset=3 to continue.]",
	    "[Line 1 is |"};
	size_t lines = chance_below(chance, 4) == 0 ? chance_below(chance, 4500)
						    : chance_below(chance, 60);
	size_t width = chance_below(chance, 5) == 0 ? 2000 : 60;
	struct buf file = buf_new(arena, lines * 40 + 64);

	for (size_t i = 0; i < lines; i++) {
		size_t n = chance_below(chance, width);

		if (chance_below(chance, 8) == 0)
			buf_str(
			    &file, odd[chance_below(chance, COUNT_OF(odd))]);
		else
			for (size_t k = 0; k < n; k++)
				buf_char(&file, (char)('a' + k % 26));
		if (i + 1 < lines || chance_below(chance, 2) == 0)
			buf_char(&file, '\n');
	}
	return buf_span(&file);
}

static void
random_files_and_ranges(struct arena *arena)
{
	struct chance chance = chance_new(20261116);
	struct arena *scratch = arena_scratch(arena);

	for (int i = 0; i < 600; i++) {
		struct span file;
		uint64_t total;

		arena_reset(scratch);
		file = random_file(scratch, &chance);
		total = lines_count(file);
		check_back(scratch, file, 0, 0);
		for (int k = 0; k < 6; k++)
			check_back(scratch, file,
			    chance_below(&chance, total + 2),
			    chance_below(&chance, 3) == 0
				? 0
				: chance_below(&chance, total + 3));
	}
}

/*
 * A file whose own last lines look like a notice.  The host gives the one
 * about its limits only where a limit was met.
 */
static void
a_notice_that_is_the_files_own(struct arena *arena)
{
	static const struct {
		struct span text;
		uint64_t offset, limit;
	} rows[] = {
	    {LIT("a\n\n[Showing lines 1-1 of 9. Use offset=2 to continue.]"), 0,
		0},
	    {LIT("a\nb\n\n[Showing lines 1-2 of 9. Use offset=3 to "
		 "continue.]"),
		0, 0},
	    {LIT("a\n\n[Showing lines 5-5 of 9. Use offset=6 to continue.]"), 5,
		0},
	    {LIT("a\n\n[1 more lines in file. Use offset=2 to continue.]"), 0,
		0},
	    {LIT("a\n\n[1 more lines in file. Use offset=9 to continue.]"), 0,
		3},
	    {LIT("a\n\n[1 more lines in file. Use offset=2 to continue.] "), 0,
		3},
	    {LIT("a\n\n[1 more lines in file. Use offset=2 to continue]"), 0,
		0},
	    {LIT("a\n\n[1 more lines in file. Use offset=2 to continue]"), 0,
		3},
	    {LIT("a\n\n[Showing lines 1-1 of 9. Use offset=2 to continue]"), 0,
		0},
	};
	struct view view;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CHECK(recorded_view(arena, rows[i].text, rows[i].offset,
			  rows[i].limit, &view),
		    "row %zu", i);
		CHECK(
		    view.notice == VIEW_WHOLE && view.text.n == rows[i].text.n,
		    "row %zu: %d", i, (int)view.notice);
	}
}

static void
the_old_notices(struct arena *arena)
{
	static const struct {
		struct span text;
		uint64_t offset, limit;
		uint64_t first, last, total; /* 0: a whole text */
		size_t shown;
	} rows[] = {
	    {LIT("a\nb\n\n... (7 more lines not shown. Use offset=3 to "
		 "continue reading)"),
		0, 0, 1, 2, 9, 3},
	    {LIT("a\nb\n\n... (7 more lines not shown. Use offset=12 to "
		 "continue reading)"),
		10, 2, 10, 11, 18, 3},
	    /* As today, but for the period. */
	    {LIT("a\nb\n\n[7 more lines in file. Use offset=3 to continue]"),
		0, 2, 1, 2, 9, 3},
	    {LIT("a\nb\n\n[7 more lines in file. Use offset=12 to continue]"),
		10, 2, 10, 11, 18, 3},
	    /* Other lines than it says. */
	    {LIT("a\nb\n\n... (7 more lines not shown. Use offset=4 to "
		 "continue reading)"),
		0, 0, 0, 0, 0, 0},
	    {LIT("a\nb\n\n... (7 more lines not shown. Use offset=3 to "
		 "continue reading)"),
		3, 0, 0, 0, 0, 0},
	    {LIT("a\nb\n\n... (x more lines not shown. Use offset=3 to "
		 "continue reading)"),
		0, 0, 0, 0, 0, 0},
	    {LIT("a\nb\n\n... (7 more lines not shown. Use offset=3 to "
		 "continue reading)\n"),
		0, 0, 0, 0, 0, 0},
	};
	struct view view;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		bool cut = rows[i].first > 0;

		CHECK(recorded_view(arena, unit_exact(arena, rows[i].text),
			  rows[i].offset, rows[i].limit, &view),
		    "row %zu", i);
		CHECK((view.notice != VIEW_WHOLE) == cut, "row %zu", i);
		CHECK(!cut || (view.first == rows[i].first &&
				  view.last == rows[i].last &&
				  view.total == rows[i].total &&
				  view.text.n == rows[i].shown),
		    "row %zu: %llu-%llu of %llu", i,
		    (unsigned long long)view.first,
		    (unsigned long long)view.last,
		    (unsigned long long)view.total);
	}
}

/* What the host never gives. */
static void
texts_that_are_no_views(struct arena *arena)
{
	struct span long_text =
	    unit_repeat(arena, SPAN("x"), VIEW_MAX_BYTES + 1);
	struct span many = unit_repeat(arena, SPAN("\n"), VIEW_MAX_LINES + 1);
	struct view view;

	assert_false(recorded_view(arena, long_text, 0, 0, &view));
	assert_false(recorded_view(arena, many, 0, 0, &view));
	assert_false(recorded_view(arena, SPAN("a\nb\nc"), 0, 2, &view));
	assert_true(recorded_view(arena, SPAN("a\nb\nc"), 0, 3, &view));
	assert_true(recorded_view(arena, SPAN(""), 0, 0, &view));
	assert_int_equal(view.total, 1);
}

/* Any bytes at all: nothing is read that is not there. */
static void
any_text(struct arena *arena)
{
	static const char letters[] = "[]()\n\n\n.123 |SLu";
	struct chance chance = chance_new(7);
	struct arena *scratch = arena_scratch(arena);

	for (int i = 0; i < 20000; i++) {
		struct buf text;
		struct view view;
		size_t n = chance_below(&chance, 40);

		arena_reset(scratch);
		text = buf_new(scratch, 200);
		for (size_t k = 0; k < n; k++)
			buf_char(&text, letters[chance_below(
					    &chance, sizeof(letters) - 1)]);
		if (chance_below(&chance, 3) == 0)
			buf_str(
			    &text, "\n\n[Showing lines 99999999999999999999-");
		if (chance_below(&chance, 3) == 0)
			buf_str(&text, "\n\n[1 more lines]");
		if (recorded_view(scratch, unit_exact(scratch, buf_span(&text)),
			chance_below(&chance, 4), chance_below(&chance, 4),
			&view))
			assert_true(
			    view.first <= view.last && view.last <= view.total);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(small_files),
	    TEST(a_first_line_too_long),
	    TEST(around_the_limits),
	    TEST(random_files_and_ranges),
	    TEST(a_notice_that_is_the_files_own),
	    TEST(the_old_notices),
	    TEST(texts_that_are_no_views),
	    TEST(any_text),
	};

	return RUN_TESTS(tests);
}
