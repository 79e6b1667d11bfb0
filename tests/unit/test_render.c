#include "unit_view.h"

#include "answer/render.h"
#include "base/lines.h"

/* ---- markers ---- */

static struct span
forty_lines(struct arena *arena)
{
	return unit_repeat(arena, SPAN("a line\n"), 40);
}

static void
check_marker(struct arena *arena, struct span file, uint64_t offset,
    uint64_t limit, bool elsewhere, const char *want)
{
	struct buf out = buf_new(arena, 0);
	struct excerpt shown = unit_shown(arena, file, offset, limit);

	render_marker(&out, &shown, elsewhere, false);
	ASSERT_TEXT(buf_span(&out), want);
	assert_int_equal(
	    render_marker_size(arena, &shown, elsewhere, false), out.n);
}

static void
check_again(struct arena *arena, struct excerpt shown, bool elsewhere,
    const char *want)
{
	struct buf out = buf_new(arena, 0);

	render_marker(&out, &shown, elsewhere, true);
	ASSERT_TEXT(buf_span(&out), want);
	assert_int_equal(
	    render_marker_size(arena, &shown, elsewhere, true), out.n);
}

/* The second one in a row names the way to the text. */
static void
marker_again(struct arena *arena)
{
	struct span file = forty_lines(arena);
	struct span longer = unit_repeat(arena, SPAN("x\n"), 3000);

	check_again(arena, unit_shown(arena, file, 1, 0), false,
	    "[readcache: unchanged, 41 lines; read again for the text]");
	check_again(arena, unit_shown(arena, file, 3, 5), false,
	    "[readcache: unchanged in lines 3-7 of 41; read again for the "
	    "text]");
	check_again(arena, unit_shown(arena, file, 3, 5), true,
	    "[readcache: unchanged in lines 3-7; changes exist outside this "
	    "range; read again for the text]");
	check_again(arena, unit_shown(arena, longer, 1, 0), false,
	    "[readcache: unchanged in lines 1-2000 of 3001; read again for "
	    "the text]\n\n"
	    "[Showing lines 1-2000 of 3001. Use offset=2001 to continue.]");
}

static void
full_marker(struct arena *arena)
{
	struct span file = forty_lines(arena);

	check_marker(arena, file, 1, 0, false,
	    "[readcache: unchanged, 41 lines]");
	check_marker(arena, file, 1, 41, false,
	    "[readcache: unchanged, 41 lines]");
	check_marker(arena, SPAN(""), 1, 0, false,
	    "[readcache: unchanged, 1 lines]");
}

static void
range_marker(struct arena *arena)
{
	struct span file = forty_lines(arena);

	check_marker(arena, file, 3, 5, false,
	    "[readcache: unchanged in lines 3-7 of 41]");
	check_marker(arena, file, 41, 0, false,
	    "[readcache: unchanged in lines 41-41 of 41]");
	check_marker(arena, file, 3, 5, true,
	    "[readcache: unchanged in lines 3-7; changes exist outside this "
	    "range]");
}

/* T1: where the host would cut, its notice says how to go on. */
static void
cut_marker(struct arena *arena)
{
	struct span file = unit_repeat(arena, SPAN("x\n"), 3000);
	struct span wide = unit_repeat(arena,
	    unit_join(arena, unit_repeat(arena, SPAN("x"), 30000), SPAN("\n")),
	    3);

	check_marker(arena, file, 1, 0, false,
	    "[readcache: unchanged in lines 1-2000 of 3001]\n\n"
	    "[Showing lines 1-2000 of 3001. Use offset=2001 to continue.]");
	check_marker(arena, file, 1, 0, true,
	    "[readcache: unchanged in lines 1-2000; changes exist outside "
	    "this range]\n\n"
	    "[Showing lines 1-2000 of 3001. Use offset=2001 to continue.]");
	check_marker(arena, file, 500, 2001, false,
	    "[readcache: unchanged in lines 500-2499 of 3001]\n\n"
	    "[Showing lines 500-2499 of 3001. Use offset=2500 to continue.]");
	check_marker(arena, wide, 2, 0, false,
	    "[readcache: unchanged in lines 2-2 of 4]\n\n"
	    "[Showing lines 2-2 of 4 (50.0KB limit). "
	    "Use offset=3 to continue.]");
	/* The limit asked for is no cut. */
	check_marker(arena, file, 1, 2000, false,
	    "[readcache: unchanged in lines 1-2000 of 3001]");
}

/* ---- diffs ---- */

static const struct diff one_line = {
	.hunks = LIT("@@ -1,2 +1,2 @@\n-a\n+b\n c\n"),
	.lines = 4,
	.changed = 1,
};

static struct span
diff_text(struct arena *arena, struct span asked)
{
	struct buf out = buf_new(arena, 0);
	struct render_size size = render_diff_size(arena, &one_line, 3, asked);

	render_diff(&out, &one_line, 3, asked);
	assert_int_equal(size.bytes, out.n);
	assert_int_equal(size.lines, lines_count(buf_span(&out)));
	return buf_span(&out);
}

static void
whole_text(struct arena *arena)
{
	ASSERT_TEXT(diff_text(arena, SPAN("src/a.c")),
	    "[readcache: 1 lines changed of 3]\n"
	    "--- a/src/a.c\n"
	    "+++ b/src/a.c\n"
	    "@@ -1,2 +1,2 @@\n-a\n+b\n c\n");
}

/* The path stands there as it was asked for. */
static void
ordinary_names(struct arena *arena)
{
	static const char *const names[] = {"a", "a b", " a", "./x/../a",
	    "../a", "~/a", "@a", "caf\xc3\xa9", "\xe2\x80\xa8", "a'b", "a`$b",
	    "-a", "a:12", "a%41", "\xf0\x9f\x98\x80"};

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		char want[256];

		(void)snprintf(want, sizeof(want),
		    "[readcache: 1 lines changed of 3]\n--- a/%s\n+++ b/%s\n"
		    "@@ -1,2 +1,2 @@\n-a\n+b\n c\n",
		    names[i], names[i]);
		ASSERT_TEXT(diff_text(arena, span_str(names[i])), want);
	}
}

/*
 * Undo the quotes of a file line, as git and patch do: backslash and three
 * octal digits, or one of the letters of C.
 */
static struct span
unquoted(struct arena *arena, struct span text)
{
	static const char letters[] = "abtnvfr\"\\", values[] =
	    "\a\b\t\n\v\f\r\"\\";
	struct buf out = buf_new(arena, text.n);

	if (text.n == 0 || text.p[0] != '"')
		return text;
	for (size_t i = 1; i < text.n; i++) {
		const char *letter;

		if (text.p[i] == '"') {
			CHECK(i == text.n - 1, "text behind the quotes");
			return buf_span(&out);
		}
		if (text.p[i] != '\\') {
			buf_char(&out, text.p[i]);
			continue;
		}
		i++;
		letter = strchr(letters, text.p[i]);
		if (letter != NULL) {
			buf_char(&out, values[letter - letters]);
			continue;
		}
		buf_char(&out, (char)((text.p[i] - '0') * 64 +
		    (text.p[i + 1] - '0') * 8 + text.p[i + 2] - '0'));
		i += 2;
	}
	unit_fail(__FILE__, __LINE__, "the quotes are not closed");
	return text;
}

/* Line NUMBER of TEXT must be MARK and the quoted name SIDE/ASKED. */
static void
check_file_line(struct arena *arena, struct span text, uint64_t number,
    const char *mark, const char *side, struct span asked)
{
	struct span line, name;

	assert_true(lines_slice(text, number, number, &line));
	CHECK(span_starts(line, span_str(mark)), "no %s", mark);
	name = unquoted(arena, span_from(line, strlen(mark)));
	ASSERT_SPAN(name, unit_join(arena, span_str(side), asked));
}

/* Whatever the name, each header is one line that says it. */
static void
odd_names(struct arena *arena)
{
	for (int c = 1; c < 256; c++) {
		char asked[] = "x?y";
		struct span text, rest;

		asked[1] = (char)c;
		text = diff_text(arena, span_str(asked));
		check_file_line(arena, text, 2, "--- ", "a/",
		    span_str(asked));
		check_file_line(arena, text, 3, "+++ ", "b/",
		    span_str(asked));
		assert_true(lines_slice(text, 4, 8, &rest));
		ASSERT_SPAN(rest, one_line.hunks);
	}
}

/* A name that pretends to be the end of the header. */
static void
hostile_name(struct arena *arena)
{
	struct span asked = SPAN("a\n+++ b/a\n@@ -1 +1 @@\n-x\n\"\\\r");
	struct span text = diff_text(arena, asked);

	check_file_line(arena, text, 2, "--- ", "a/", asked);
	check_file_line(arena, text, 3, "+++ ", "b/", asked);
	assert_int_equal(lines_count(text), 8);
}

/* As in a patch of the project: "a//etc/x" would be another file's name. */
static void
absolute_names(struct arena *arena)
{
	static const char *const names[] = {"/src/a.c", "//src/a.c"};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		ASSERT_TEXT(diff_text(arena, span_str(names[i])),
		    "[readcache: 1 lines changed of 3]\n"
		    "--- a/src/a.c\n"
		    "+++ b/src/a.c\n"
		    "@@ -1,2 +1,2 @@\n-a\n+b\n c\n");
}

static void
numbers(struct arena *arena)
{
	struct diff diff = one_line;
	struct buf out = buf_new(arena, 0);

	diff.changed = 1234567;
	render_diff(&out, &diff, 9007199254740991, SPAN("a"));
	assert_true(span_starts(buf_span(&out),
	    SPAN("[readcache: 1234567 lines changed of 9007199254740991]\n")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(full_marker),
		TEST(range_marker),
		TEST(cut_marker),
		TEST(marker_again),
		TEST(whole_text),
		TEST(ordinary_names),
		TEST(odd_names),
		TEST(hostile_name),
		TEST(absolute_names),
		TEST(numbers),
	};

	return RUN_TESTS(tests);
}
