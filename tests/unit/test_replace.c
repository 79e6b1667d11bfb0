#include "unit.h"

#include "base/lines.h"
#include "base/utf8.h"
#include "diff/fuzzy.h"
#include "diff/replace.h"

#define BOM "\xef\xbb\xbf"
#define E_ACUTE "\xc3\xa9"
#define COMBINING_ACUTE "\xcc\x81"

/*
 * The origins as a text, a word for each line: "3" is line 3 of the old text,
 * "3*" what a replacement left of it, "0*" new, "3+4*" between both, "3+4!"
 * made of pieces of both; "^" before a word: lines were removed there; "$" at
 * the end: lines were removed there.
 */
static struct span
told(struct arena *arena, const struct replaced *out)
{
	struct buf text = buf_new(arena, 64);

	for (uint64_t i = 0; i < out->lines; i++) {
		const struct line_origin *origin = &out->origins[i];

		if (i > 0)
			buf_char(&text, ' ');
		if (origin->cut)
			buf_char(&text, '^');
		buf_u64(&text, origin->line);
		if (origin->also != 0) {
			buf_char(&text, '+');
			buf_u64(&text, origin->also);
		}
		if (origin->lost || origin->own)
			buf_char(&text, origin->lost ? '!' : '*');
	}
	if (out->cut_end)
		buf_str(&text, " $");
	return buf_span(&text);
}

enum { EDITS = 4 };

static const struct {
	const char *why, *text;
	const char *edits[EDITS][2];
	const char *result, *origins;
} done[] = {
	/* Within a line. */
	{"a word", "a\nbx by\nc\n", {{"by", "BY"}}, "a\nbx BY\nc\n",
	    "1 2* 3 4"},
	{"a word goes", "a\nbx by\nc\n", {{" by", ""}}, "a\nbx\nc\n",
	    "1 2* 3 4"},
	{"all of a line, and nothing says that it is all", "a\nb\nc\n",
	    {{"b", "B"}}, "a\nB\nc\n", "1 2* 3 4"},
	{"a line is emptied", "a\nb\nc\n", {{"b", ""}}, "a\n\nc\n",
	    "1 2* 3 4"},
	{"two words of a line", "a\nx y z\nc\n", {{"z", "Z"}, {"x", "X"}},
	    "a\nX y Z\nc\n", "1 2* 3 4"},
	{"first byte of a text", "ab\nc", {{"a", "A"}}, "Ab\nc", "1* 2"},
	{"last byte of a text", "ab\nc", {{"c", "C"}}, "ab\nC", "1 2*"},
	{"only line", "ab", {{"ab", "c"}}, "c", "1*"},
	{"everything goes", "ab", {{"ab", ""}}, "", "1*"},

	/* Whole lines, with the line end. */
	{"a line with its end", "a\nb\nc\n", {{"b\n", "B\n"}}, "a\nB\nc\n",
	    "1 2* 3 4"},
	{"a line with both ends", "a\nb\nc\n", {{"\nb\n", "\nB\n"}},
	    "a\nB\nc\n", "1 0* 3 4"},
	{"two lines for one", "a\nb\nc\n", {{"b\n", "x\ny\n"}},
	    "a\nx\ny\nc\n", "1 2* 0* 3 4"},
	{"one line for two", "a\nb\nc\nd", {{"b\nc\n", "x\n"}}, "a\nx\nd",
	    "1 2* 4"},
	{"lines without their last end", "a\nb\nc\nd",
	    {{"b\nc", "x\ny\nz"}}, "a\nx\ny\nz\nd", "1 2* 0* 3* 4"},
	{"one line for two, without ends", "a\nb\nc\nd", {{"b\nc", "x"}},
	    "a\nx\nd", "1 2+3* 4"},

	/* Lines that come. */
	{"after a line", "a\nb\n", {{"a\n", "a\nx\n"}}, "a\nx\nb\n",
	    "1* 0* 2 3"},
	{"after a line, at its end", "a\nb\n", {{"a", "a\nx"}}, "a\nx\nb\n",
	    "1* 1* 2 3"},
	{"before a line", "a\nb\n", {{"\nb", "\nx\nb"}}, "a\nx\nb\n",
	    "1 0* 2* 3"},
	{"an empty line between two", "a\nb\n", {{"a\nb", "a\n\nb"}},
	    "a\n\nb\n", "1* 0* 2* 3"},
	{"at the end of the text", "a\nb", {{"b", "b\nc\n"}}, "a\nb\nc\n",
	    "1 2* 0* 2*"},
	{"a line is split", "ab cd\ne", {{"b c", "b\nc"}}, "ab\ncd\ne",
	    "1* 1* 2"},

	/* Lines that go. */
	{"a line", "a\nb\nc\n", {{"b\n", ""}}, "a\nc\n", "1 ^3 4"},
	{"a line, with the end before it", "a\nb\nc\n", {{"\nb", ""}},
	    "a\nc\n", "1 ^3 4"},
	{"a line, with both ends", "a\nb\nc\n", {{"\nb\n", "\n"}}, "a\nc\n",
	    "1 ^3 4"},
	{"first lines", "a\nb\nc\n", {{"a\nb\n", ""}}, "c\n", "^3 4"},
	{"last line, which has an end", "a\nb\n", {{"b\n", ""}}, "a\n",
	    "1 ^3"},
	{"last lines, with the end before them", "a\nb\nc", {{"\nb\nc", ""}},
	    "a", "1 $"},
	{"the end of the last line", "a\nb\n", {{"b\n", "b"}}, "a\nb",
	    "1 2+3*"},
	{"the only line end", "ab\n", {{"\n", ""}}, "ab", "1 $"},
	{"the only line end, before a line", "\nab", {{"\n", ""}}, "ab",
	    "^2"},
	{"nothing but a line end", "\n", {{"\n", ""}}, "", "^2"},
	{"an empty line", "a\n\nb", {{"a\n\n", "a\n"}}, "a\nb", "1* 3"},
	{"an empty line, and both ends stay", "a\n\nb", {{"\n\n", "\n"}},
	    "a\nb", "1 ^3"},
	{"everything before an empty line", "a\n\nb", {{"a\n", ""}}, "\nb",
	    "^2 3"},
	{"a line before another change", "a\nb\nc\nd",
	    {{"b\n", ""}, {"c", "C"}}, "a\nC\nd", "1 ^2+3* 4"},
	{"a line after another change", "a\nb\nc\nd",
	    {{"\nb", ""}, {"a", "A"}}, "A\nc\nd", "1+2* ^3 4"},
	{"two lines, one by one", "a\nb\nc\nd", {{"b\n", ""}, {"c\n", ""}},
	    "a\nd", "1 ^4"},
	{"two places", "a\nb\nc\nd\ne", {{"\nb", ""}, {"\nd", ""}},
	    "a\nc\ne", "1 ^3 ^5"},
	{"two lines for an empty one", "a\nb\nc\nd", {{"b\nc\n", "\n"}},
	    "a\n\nd", "1 2* 4"},
	{"a line end, and the start of the line after it", "aa\nbb\ncc",
	    {{"\nb", ""}}, "aab\ncc", "1+2! 3"},
	{"a line after one that became a part", "a\nb\nc\nd",
	    {{"a\n", "x"}, {"b\n", ""}}, "xc\nd", "3+1! 4"},
	{"a line for an empty one, by its ends", "a\nb\nc", {{"\nb\n", "\n\n"}},
	    "a\n\nc", "1 0* 3"},

	/* Lines that are joined. */
	{"two lines", "a\nb\nc", {{"a\nb", "ab"}}, "ab\nc", "1+2* 3"},
	{"two lines, of which much is left", "aa\nbb\nc", {{"a\nb", " "}},
	    "a b\nc", "1+2! 3"},
	{"two lines, nothing written", "aa\nbb\ncc", {{"a\nb", ""}},
	    "ab\ncc", "1+2! 3"},
	{"into a line that is left as it was", "a\nb\nc", {{"a\n", "x"}},
	    "xb\nc", "2+1* 3"},
	{"into a line of which the end is left", "aa\nbb\nc",
	    {{"aa\nb", "x"}}, "xb\nc", "2+1* 3"},
	{"into a line of which the start is left", "aa\nbb\nc",
	    {{"a\nbb", "x"}}, "ax\nc", "1+2* 3"},
	{"three lines by two edits", "aa\nbb\ncc",
	    {{"a\nb", "-"}, {"b\nc", "+"}}, "a-+c", "1+2!"},
	{"three lines, of the middle nothing is left", "a\nb\nc\nd",
	    {{"a\n", "-"}, {"b\n", "+"}}, "-+c\nd", "3+1! 4"},
	{"edits that touch", "ab\n", {{"a", "x\n"}, {"b", "\ny"}},
	    "x\n\ny\n", "1* 1* 1* 2"},
	{"edits that touch at a line", "a\nb\nc", {{"a\n", "x\n"}, {"b", "y"}},
	    "x\ny\nc", "1* 2* 3"},

	/* Line ends. */
	{"a line end for itself", "aa\nbb", {{"\n", "\n"}, {"aa", "x"}},
	    "x\nbb", "1* 2"},
	{"CRLF", "a\r\nb\r\nc\r\n", {{"b\n", "x\ny\n"}},
	    "a\r\nx\r\ny\r\nc\r\n", "1 2* 0* 3 4"},
	{"CRLF in the arguments too", "a\r\nb\r\nc\r\n",
	    {{"b\r\n", "x\r\ny\r\n"}}, "a\r\nx\r\ny\r\nc\r\n", "1 2* 0* 3 4"},
	{"CRLF in the arguments only", "a\nb\n", {{"a\r\nb\r\n", "x\r\n"}},
	    "x\n", "1* 3"},
	{"the first line end counts: CRLF", "a\r\nb\nc", {{"c", "C"}},
	    "a\r\nb\r\nC", "1 2! 3*"},
	{"the first line end counts: LF", "a\nb\r\nc", {{"c", "C"}},
	    "a\nb\nC", "1 2! 3*"},
	{"a word of a line that gets another end", "a\nb b\r\nc\n",
	    {{"b b", "B"}}, "a\nB\nc\n", "1 2! 3 4"},
	{"a line without a part of another end", "a\nb\r\nc\r\nd",
	    {{"b\nc", "x"}}, "a\nx\nd", "1 2+3! 4"},
	{"only the second of two gets another end", "a\nb\nc\r\nd",
	    {{"b\nc", "x"}}, "a\nx\nd", "1 2+3! 4"},
	{"all of it between new line ends", "a\nb\r\nc\r\nd\n",
	    {{"\nb\nc\n", "\nx\ny\n"}}, "a\nx\ny\nd\n", "1 0* 0* 4 5"},
	{"no line end: LF", "a", {{"a", "a\nb"}}, "a\nb", "1* 1*"},
	{"CRLF, the end of the text", "a\r\nb", {{"b", "b\n"}}, "a\r\nb\r\n",
	    "1 2* 2*"},
	{"CRLF alone, in its first bytes", "\r\na", {{"a", "b"}}, "\r\nb",
	    "1 2*"},

	/* The byte order mark. */
	{"mark", BOM "a\nb", {{"b", "B"}}, BOM "a\nB", "1 2*"},
	{"mark, first line", BOM "a\nb", {{"a", "A"}}, BOM "A\nb", "1* 2"},
	{"mark, first line goes", BOM "a\nb", {{"a\n", ""}}, BOM "b", "^2"},
	{"mark and CRLF", BOM "a\r\nb", {{"a\nb", "c"}}, BOM "c", "1+2*"},
	{"the second mark is text", BOM BOM "a", {{BOM "a", "b"}}, BOM "b",
	    "1*"},

	/* Counting. */
	{"blanks at an end are there", "a \nb", {{"a \n", "c\n"}}, "c\nb",
	    "1* 2"},
	{"a letter and its mark, once",
	    "e" COMBINING_ACUTE " a\nb", {{"a", "A"}},
	    "e" COMBINING_ACUTE " A\nb", "1* 2"},
};

static size_t
edits_of(const char *const edits[EDITS][2], struct replacement *list)
{
	size_t n = 0;

	for (; n < EDITS && edits[n][0] != NULL; n++)
		list[n] = (struct replacement){span_str(edits[n][0]),
		    span_str(edits[n][1])};
	return n;
}

static void
edits_are_done_and_lines_come_from_somewhere(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(done); i++) {
		struct replacement list[EDITS];
		size_t n = edits_of(done[i].edits, list);
		struct replaced out;
		struct span origins;

		CHECK(replace_apply(arena,
			  unit_exact(arena, span_str(done[i].text)), list, n,
			  &out),
		    "%s: not done", done[i].why);
		CHECK(span_eq(out.text, span_str(done[i].result)),
		    "%s: %.*s", done[i].why, (int)out.text.n, out.text.p);
		CHECK(out.lines == lines_count(out.text), "%s: %llu lines",
		    done[i].why, (unsigned long long)out.lines);
		origins = told(arena, &out);
		CHECK(span_eq(origins, span_str(done[i].origins)),
		    "%s: have %.*s, want %s", done[i].why, (int)origins.n,
		    origins.p, done[i].origins);
	}
}

static const struct {
	const char *why, *text;
	const char *edits[EDITS][2];
} refused[] = {
	{"no edit", "a", {{NULL}}},
	{"not there", "a\nb", {{"c", "d"}}},
	{"longer than the text", "a", {{"abcd", "d"}}},
	{"empty old text", "a", {{"", "d"}}},
	{"empty text", "", {{"a", "d"}}},
	{"there twice", "a\na\n", {{"a", "b"}}},
	{"there three times", "a\na\na\n", {{"a", "b"}}},
	{"one is good, one is not there", "a\nb", {{"a", "c"}, {"d", "e"}}},
	{"overlap", "abc", {{"ab", "x"}, {"bc", "y"}}},
	{"one in the other", "abc", {{"abc", "x"}, {"b", "y"}}},
	{"the same twice", "abc", {{"b", "x"}, {"b", "y"}}},
	{"one sees what the other one makes", "abc", {{"b", "x"}, {"x", "y"}}},
	{"nothing changes", "abc", {{"b", "b"}}},
	{"nothing changes, in two", "abc", {{"b", "b"}, {"c", "c"}}},
	{"nothing changes but line ends", "a\r\nb\nc", {{"b", "b"}}},
	{"a CR in the text", "a\rb\nc", {{"c", "d"}}},
	{"a CR at the end of the text", "a\nc\r", {{"c", "d"}}},
	{"a CR before CRLF", "a\r\r\nc", {{"c", "d"}}},
	{"a CR in an old text", "a\nb", {{"a\rb", "d"}}},
	{"a CR in a new text", "a\nb", {{"b", "c\rd"}}},
	{"not UTF-8", "a\xff\nb", {{"b", "c"}}},
	{"old text is not UTF-8", "a\xc3\xa9\nb", {{"\xa9", "c"}}},
	{"new text is not UTF-8", "a\nb", {{"b", "\xff"}}},
	{"the mark is no text", BOM "a", {{BOM "a", "b"}}},

	/* Exactly once, but pi counts more. */
	{"twice but for blanks", "a \na", {{"a ", "b"}}},
	{"twice but for quotes", "'a'\n\xe2\x80\x98" "a\xe2\x80\x99",
	    {{"'a'", "b"}}},
	{"twice but for double quotes", "\"a\"\n\xe2\x80\x9c" "a\xe2\x80\x9d",
	    {{"\"a\"", "b"}}},
	{"twice but for dashes", "a-b\na\xe2\x80\x94" "b", {{"a-b", "c"}}},
	{"twice but for the minus", "a-b\na\xe2\x88\x92" "b", {{"a-b", "c"}}},
	{"twice but for a hard blank", "a b\na\xc2\xa0" "b", {{"a b", "c"}}},
	{"twice but for the form", "fi\n\xef\xac\x81", {{"fi", "c"}}},
	{"twice but for how it is composed",
	    E_ACUTE "\ne" COMBINING_ACUTE, {{E_ACUTE, "c"}}},
	{"twice, once in the half of a wide letter", "a\n\xef\xbd\x81",
	    {{"a", "b"}}},
	{"blanks only", "a  b", {{"  ", " "}}},

	/* Once for pi, which takes the first; the model may have meant another. */
	{"it overlaps itself", "xaaax", {{"aa", "b"}}},
	{"lines that overlap themselves", "{\n}\n}\n}\n", {{"}\n}\n", "}\n"}}},

	/* Nearly. */
	{"but for blanks at an end", "a \nb", {{"a\nb", "c"}}},
	{"but for a quote", "\xe2\x80\x99" "a", {{"'a", "c"}}},
	{"one is there, one nearly", "x\n\xe2\x80\x99" "a",
	    {{"x", "y"}, {"'a", "c"}}},

	/* Newer than any library. */
	{"an unknown character", "a\xef\xbf\xbe\nb", {{"b", "c"}}},
	{"an unknown character in the old text", "a\n\xef\xbf\xbe",
	    {{"\xef\xbf\xbe", "c"}}},
};

static void
what_pi_refuses_or_does_otherwise_is_refused(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(refused); i++) {
		struct replacement list[EDITS];
		size_t n = edits_of(refused[i].edits, list);
		struct replaced out;

		CHECK(!replace_apply(arena,
			  unit_exact(arena, span_str(refused[i].text)), list,
			  n, &out),
		    "%s: done: %.*s", refused[i].why, (int)out.text.n,
		    out.text.p);
	}
}

static void
nul_is_text(struct arena *arena)
{
	const struct replacement edit = {SPAN("\0b"), SPAN("c\0\n")};
	struct replaced out;

	assert_true(replace_apply(arena, SPAN("a\0b\nd"), &edit, 1, &out));
	ASSERT_SPAN(out.text, SPAN("ac\0\n\nd"));
	ASSERT_TEXT(told(arena, &out), "1* 1* 2");
}

/* ---- limits ---- */

/* N lines, each of which is there once. */
static struct span
numbered(struct arena *arena, size_t n)
{
	struct buf text = buf_new(arena, n * 8);

	for (size_t i = 0; i < n; i++) {
		buf_char(&text, '<');
		buf_u64(&text, i);
		buf_str(&text, ">\n");
	}
	return buf_span(&text);
}

static void
what_is_too_large_is_refused(struct arena *arena)
{
	struct span full = unit_repeat(arena, SPAN("x"), REPLACE_MAX_BYTES - 1);
	struct replacement edit = {SPAN("y"), SPAN("z")};
	struct replaced out;
	struct span text;

	text = unit_join(arena, full, SPAN("y"));
	assert_true(replace_apply(arena, text, &edit, 1, &out));
	text = unit_join(arena, full, SPAN("yx"));
	assert_false(replace_apply(arena, text, &edit, 1, &out));

	edit.new_text = unit_join(arena, full, SPAN("z"));
	assert_true(replace_apply(arena, SPAN("y"), &edit, 1, &out));
	edit.new_text = unit_join(arena, full, SPAN("zz"));
	assert_false(replace_apply(arena, SPAN("y"), &edit, 1, &out));
}

static void
many_edits_in_one_call(struct arena *arena)
{
	struct replacement *list = arena_array(arena, REPLACE_MAX + 1,
	    sizeof(*list));
	struct span text = numbered(arena, REPLACE_MAX + 1);
	struct span rest = text;
	struct replaced out;

	for (size_t i = 0; i <= REPLACE_MAX; i++) {
		size_t n = (size_t)((const char *)memchr(rest.p, '\n', rest.n) -
		    rest.p);

		/* From the last one to the first. */
		list[REPLACE_MAX - i] = (struct replacement){{rest.p, n},
		    SPAN("+")};
		rest = span_from(rest, n + 1);
	}
	assert_true(replace_apply(arena, text, list, REPLACE_MAX, &out));
	/* The first line was in the last edit, which was left out. */
	ASSERT_SPAN(out.text,
	    unit_join(arena, SPAN("<0>\n"),
		unit_repeat(arena, SPAN("+\n"), REPLACE_MAX)));
	assert_false(replace_apply(arena, text, list, REPLACE_MAX + 1, &out));

	/* All texts are looked for in all of the text: that has an end, too. */
	text = unit_join(arena, text,
	    unit_repeat(arena, SPAN("x"), 64 * 1024 * 1024 / REPLACE_MAX));
	assert_false(replace_apply(arena, text, list, REPLACE_MAX, &out));
	assert_true(replace_apply(arena, text, list, REPLACE_MAX / 2, &out));
}

/* What takes long costs much; 300,000 is what a read may spend (answer/trace.c). */
static void
costs(struct arena *arena)
{
	struct replacement edit = {SPAN("a"), SPAN("b")};
	struct replacement list[REPLACE_MAX];
	struct span bytes = unit_repeat(arena, SPAN("x"), 1 << 20);

	for (size_t i = 0; i < COUNT_OF(list); i++)
		list[i] = edit;
	assert_in_range(replace_cost(SPAN("a line\n"), &edit, 1), 1, 2);
	assert_in_range(replace_cost(bytes, &edit, 1), 2000, 5000);
	/* Many lines, lines that are not ASCII, many replacements. */
	assert_in_range(
	    replace_cost(unit_repeat(arena, SPAN("\n"), 1 << 20), &edit, 1),
	    60000, 80000);
	assert_in_range(replace_cost(unit_repeat(arena,
				SPAN(E_ACUTE), 1 << 19), &edit, 1),
	    30000, 50000);
	assert_in_range(
	    replace_cost((struct span){bytes.p, 1 << 16}, list,
		COUNT_OF(list)),
	    60000, 80000);
	/* So do long texts of a replacement. */
	edit.new_text = unit_repeat(arena, SPAN("\n"), 1 << 20);
	assert_in_range(replace_cost(SPAN("a"), &edit, 1), 60000, 80000);
	/* What is not tried costs nothing. */
	assert_int_equal(replace_cost(bytes, list, COUNT_OF(list)), 1);
	assert_int_equal(replace_cost(bytes, list, 0), 1);
	edit.old_text = bytes;
	assert_int_equal(replace_cost((struct span){bytes.p, 1024}, &edit, 1), 1);
	/* Up to 64 MB are looked through. */
	bytes.n = 64 * 1024 * 1024 / REPLACE_MAX;
	assert_true(replace_cost(bytes, list, REPLACE_MAX) > 1);
	bytes.n++;
	assert_int_equal(replace_cost(bytes, list, REPLACE_MAX), 1);
	/* Of a text, the lines that are not ASCII take longer. */
	assert_int_equal(fuzzy_bytes(SPAN("ab\n" E_ACUTE "c\nd")), 3);
}

/* ---- the fuzzy form ---- */

static const struct {
	const char *text, *fuzzy; /* NULL: not certain */
} forms[] = {
	{"", ""},
	{"a", "a"},
	{"a\n", "a\n"},
	{"a\n\nb", "a\n\nb"},
	{" a", " a"},
	{"a ", "a"},
	{"a \t\v\f\n \n\tb\t", "a\n\n\tb"},
	{"\n ", "\n"},
	{"a\xc2\xa0", "a"},
	{"a\xe2\x80\x89" "b\xe3\x80\x80\n", "a b\n"},
	{"a\xe1\x9a\x80\xe2\x80\xa8\xe2\x80\xa9\xef\xbb\xbf ", "a"},
	{"\xe1\x9a\x80" "a", "\xe1\x9a\x80" "a"},
	{"\xe2\x80\x98\xe2\x80\x99\xe2\x80\x9a\xe2\x80\x9b", "''''"},
	{"\xe2\x80\x9c\xe2\x80\x9d\xe2\x80\x9e\xe2\x80\x9f", "\"\"\"\""},
	{"\xe2\x80\x90\xe2\x80\x91\xe2\x80\x92\xe2\x80\x93\xe2\x80\x94"
	 "\xe2\x80\x95\xe2\x88\x92",
	    "-------"},
	{"\xe2\x80\xa6\n" E_ACUTE " x \ny ", "...\n" E_ACUTE " x\ny"},
	{"e" COMBINING_ACUTE, E_ACUTE},
	{"e\n" COMBINING_ACUTE, "e\n" COMBINING_ACUTE},
	{"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
	{"\xef\xb7\xba", NULL /* see below */},
	{"\xef\xbf\xbe", NULL},
};

static void
fuzzy_forms(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(forms); i++) {
		struct span text = unit_exact(arena, span_str(forms[i].text));
		struct span fuzzy;

		if (forms[i].fuzzy == NULL)
			continue;
		CHECK(fuzzy_text(arena, text, &fuzzy), "%zu: refused", i);
		CHECK(span_eq(fuzzy, span_str(forms[i].fuzzy)), "%zu: %.*s", i,
		    (int)fuzzy.n, fuzzy.p);
	}
}

static void
some_forms_are_not_certain(struct arena *arena)
{
	static const char *const marks[] = {
		COMBINING_ACUTE "\xcc\xa3", /* one above, one below */
		("\xef\xbe\x9e" COMBINING_ACUTE), /* U+FF9E becomes a mark */
		"\xe0\xbd\xb3\xef\xbe\x9f",   /* U+0F73 becomes two */
		"\xe2\x83\x9d\xe2\x83\x9e", /* they stand around it */
	};
	struct span phrase = SPAN("\xef\xb7\xba"); /* 18 letters in one */
	struct span fuzzy;

	assert_false(fuzzy_text(arena, SPAN("a\n\xef\xbf\xbe"), &fuzzy));
	assert_true(fuzzy_text(arena, phrase, &fuzzy));
	assert_int_equal(fuzzy.n, 33);
	/* The time is not to grow with the square of them. */
	for (size_t i = 0; i < COUNT_OF(marks); i++) {
		assert_true(fuzzy_text(arena, span_str(marks[i]), &fuzzy));
		assert_true(fuzzy_text(arena,
		    unit_repeat(arena, span_str(marks[i]), 16), &fuzzy));
		assert_false(fuzzy_text(arena,
		    unit_repeat(arena, span_str(marks[i]), 17), &fuzzy));
	}
	/* Memory is to stay near the size of the text. */
	assert_false(fuzzy_text(arena, unit_repeat(arena, phrase, 1000),
	    &fuzzy));
}

/* ---- at random ---- */

static const char *const words[] = {"a", "b", "ab", " ", "x y", "(", ")",
	"\n", "\n", "\n", "\n\n", "\n\t", "-", "q"};

static struct span
random_text(struct arena *arena, struct chance *chance, size_t pieces)
{
	struct buf text = buf_new(arena, 64);

	for (size_t i = 0; i < pieces; i++)
		buf_str(&text, words[chance_below(chance, COUNT_OF(words))]);
	return buf_span(&text);
}

/* Up to N pieces of TEXT that follow each other, and something for each. */
static size_t
random_edits(struct arena *arena, struct chance *chance, struct span text,
    struct replacement *list, size_t n)
{
	size_t at = 0, count = 0;

	while (count < n && at < text.n) {
		size_t from = at + chance_below(chance, text.n - at);
		size_t most = text.n - from < 9 ? text.n - from : 9;
		size_t size = 1 + chance_below(chance, most);

		list[count++] = (struct replacement){{text.p + from, size},
		    random_text(arena, chance, chance_below(chance, 4))};
		at = from + size;
	}
	return count;
}

/* TEXT with a byte more in it, at AT. */
static struct span
with_more(struct arena *arena, struct span text, size_t at)
{
	struct buf more = buf_new(arena, text.n + 1);

	buf_add(&more, (struct span){text.p, at});
	buf_char(&more, 'Z');
	buf_add(&more, span_from(text, at));
	return buf_span(&more);
}

static struct span
line_of(struct span text, uint64_t number)
{
	struct span line = SPAN("");

	CHECK(lines_slice(text, number, number, &line), "no line %llu",
	    (unsigned long long)number);
	return line;
}

/* What must hold for every result. */
static void
check_origins(struct arena *arena, struct span text,
    const struct replaced *out)
{
	uint64_t last = 0;

	CHECK(out->lines == lines_count(out->text), "lines");
	for (uint64_t i = 0; i < out->lines; i++) {
		const struct line_origin *origin = &out->origins[i];

		CHECK(!origin->lost || origin->own, "lost, not own");
		CHECK(origin->line != 0 || origin->also == 0, "also without");
		if (origin->own)
			continue;
		CHECK(origin->line > last, "line %llu: %.*s",
		    (unsigned long long)i + 1,
		    (int)told(arena, out).n, told(arena, out).p);
		last = origin->line;
		ASSERT_SPAN(line_of(out->text, i + 1),
		    line_of(text, origin->line));
	}
}

/*
 * Whoever does not know an old line knows all own lines that do not name it:
 * with another text there they would be the same.  Of lines that are not own
 * the text is compared.
 */
static void
check_knowledge(struct arena *arena, struct span text, size_t at,
    const struct replaced *out, const struct replaced *other)
{
	uint64_t line = lines_count((struct span){text.p, at});

	CHECK(other->lines == out->lines, "other lines");
	for (uint64_t i = 0; i < out->lines; i++) {
		const struct line_origin *origin = &out->origins[i];

		if (!origin->own || origin->lost || origin->line == line ||
		    origin->also == line)
			continue;
		CHECK(span_eq(line_of(out->text, i + 1),
			  line_of(other->text, i + 1)),
		    "line %llu of %.*s\nmade of %.*s\nwith %llu: %.*s",
		    (unsigned long long)i + 1, (int)out->text.n, out->text.p,
		    (int)text.n, text.p, (unsigned long long)line,
		    (int)told(arena, out).n, told(arena, out).p);
	}
}

static void
what_is_not_named_is_not_needed(struct arena *arena)
{
	struct chance chance = chance_new(20261118);
	struct arena *scratch = arena_scratch(arena);
	size_t applied = 0, compared = 0;

	for (size_t round = 0; round < 60000; round++) {
		struct replacement list[3];
		struct replaced out, other;
		struct span text;
		size_t n, at;

		arena_reset(scratch);
		text = random_text(scratch, &chance,
		    1 + chance_below(&chance, 16));
		n = random_edits(scratch, &chance, text, list, 3);
		if (!replace_apply(scratch, text, list, n, &out))
			continue;
		applied++;
		check_origins(scratch, text, &out);
		at = chance_below(&chance, text.n + 1);
		if (!replace_apply(scratch, with_more(scratch, text, at), list,
			n, &other))
			continue; /* it is in an old text */
		compared++;
		check_knowledge(scratch, text, at, &out, &other);
	}
	assert_true(applied > 8000);
	assert_true(compared > 4000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(edits_are_done_and_lines_come_from_somewhere),
		TEST(what_pi_refuses_or_does_otherwise_is_refused),
		TEST(nul_is_text),
		TEST(what_is_too_large_is_refused),
		TEST(many_edits_in_one_call),
		TEST(costs),
		TEST(fuzzy_forms),
		TEST(some_forms_are_not_certain),
		TEST(what_is_not_named_is_not_needed),
	};

	return RUN_TESTS(tests);
}
