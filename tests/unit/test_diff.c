#include "unit.h"

#include "base/lines.h"
#include "base/utf8.h"
#include "diff/apply.h"
#include "diff/unified.h"
#include "diff/useful.h"

#define NO_NEWLINE "\\ No newline at end of file\n"

/* ---- a second, naive reader of diffs ---- */

/* The line at the front of TEXT with its LF, which is taken off TEXT. */
static struct span
next_line(struct span *text)
{
	size_t n = 0;
	struct span line;

	while (n < text->n && text->p[n] != '\n')
		n++;
	n += n < text->n;
	line = span_of(text->p, n);
	*text = span_from(*text, n);
	return line;
}

struct numbers {
	unsigned long old_first, old_count, new_first, new_count;
};

/* "@@ -1,2 +3 @@ name" */
static struct numbers
header_numbers(struct arena *arena, struct span line)
{
	struct numbers numbers = {.old_count = 1, .new_count = 1};
	char *p = arena_cstr(arena, line), *end;

	CHECK(strncmp(p, "@@ -", 4) == 0, "no header: %s", p);
	numbers.old_first = strtoul(p + 4, &end, 10);
	if (*end == ',')
		numbers.old_count = strtoul(end + 1, &end, 10);
	CHECK(strncmp(end, " +", 2) == 0, "no new side: %s", p);
	numbers.new_first = strtoul(end + 2, &end, 10);
	if (*end == ',')
		numbers.new_count = strtoul(end + 1, &end, 10);
	CHECK(strncmp(end, " @@", 3) == 0, "no end: %s", p);
	return numbers;
}

/* What was learned from a diff by reading it. */
struct reading {
	struct buf result; /* the new text */
	uint64_t lines, changed;
};

/* One hunk's body.  OLD loses what the hunk speaks of. */
static void
read_body(struct span *hunks, struct numbers numbers, struct span *old,
    struct reading *reading)
{
	uint64_t removed = 0, added = 0;

	while (numbers.old_count + numbers.new_count > 0) {
		struct span line = next_line(hunks);
		char mark = line.p[0];

		reading->lines++;
		line = span_from(line, 1);
		if (hunks->n > 0 && hunks->p[0] == '\\') {
			ASSERT_TEXT(next_line(hunks), NO_NEWLINE);
			reading->lines++;
			line.n--;
		}
		if (mark != '+') {
			ASSERT_SPAN(next_line(old), line);
			numbers.old_count--;
		}
		if (mark != '-') {
			buf_add(&reading->result, line);
			numbers.new_count--;
		}
		if (mark == ' ' || (mark == '-' && added > 0)) {
			reading->changed += removed > added ? removed : added;
			removed = added = 0;
		}
		removed += mark == '-';
		added += mark == '+';
	}
	reading->changed += removed > added ? removed : added;
}

static struct reading
read_diff(struct arena *arena, struct span hunks, struct span old)
{
	struct reading reading = {.result = buf_new(arena, old.n)};
	unsigned long line = 1;

	while (hunks.n > 0) {
		struct numbers numbers = header_numbers(arena,
		    next_line(&hunks));

		reading.lines++;
		while (line < numbers.old_first + (numbers.old_count == 0)) {
			buf_add(&reading.result, next_line(&old));
			line++;
		}
		read_body(&hunks, numbers, &old, &reading);
		line += numbers.old_count;
	}
	buf_add(&reading.result, old);
	return reading;
}

/* ---- making ---- */

static struct diff
make(struct arena *arena, struct span old_text, struct span new_text)
{
	struct diff diff = {.hunks = SPAN("")};
	struct reading reading;

	assert_true(diff_make(arena, old_text, new_text, &diff));
	reading = read_diff(arena, diff.hunks, old_text);
	ASSERT_SPAN(buf_span(&reading.result), new_text);
	assert_int_equal(diff.lines, reading.lines);
	assert_int_equal(diff.changed, reading.changed);
	assert_true(diff_applies(diff.hunks, old_text, new_text));
	return diff;
}

static const struct {
	const char *why, *old_text, *new_text, *hunks;
	uint64_t changed;
} cases[] = {
	{"equal", "a\nb\n", "a\nb\n", "", 0},
	{"both empty", "", "", "", 0},
	{"in the middle", "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
	    "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
	    "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n", 1},
	{"insertion at the start", "1\n2\n3\n4\n5\n", "0\n1\n2\n3\n4\n5\n",
	    "@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n", 1},
	{"insertion at the end", "1\n2\n3\n4\n5\n", "1\n2\n3\n4\n5\n6\n",
	    "@@ -3,3 +3,4 @@\n 3\n 4\n 5\n+6\n", 1},
	{"deletion at the start", "1\n2\n3\n4\n5\n", "2\n3\n4\n5\n",
	    "@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n", 1},
	{"deletion at the end", "1\n2\n3\n4\n5\n", "1\n2\n3\n4\n",
	    "@@ -2,4 +2,3 @@\n 2\n 3\n 4\n-5\n", 1},
	{"from nothing", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n", 2},
	{"from nothing to one line", "", "a",
	    "@@ -0,0 +1 @@\n+a\n" NO_NEWLINE, 1},
	{"to nothing", "a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n", 2},
	{"to nothing, no newline", "a", "", "@@ -1 +0,0 @@\n-a\n" NO_NEWLINE,
	    1},
	{"newline added", "a\nb", "a\nb\n",
	    "@@ -1,2 +1,2 @@\n a\n-b\n" NO_NEWLINE "+b\n", 1},
	{"newline lost", "a\nb\n", "a\nb",
	    "@@ -1,2 +1,2 @@\n a\n-b\n+b\n" NO_NEWLINE, 1},
	{"no newline on both sides", "a\nb", "A\nb",
	    "@@ -1,2 +1,2 @@\n-a\n+A\n b\n" NO_NEWLINE, 1},
	{"last line of both", "a\nb", "a\nc",
	    "@@ -1,2 +1,2 @@\n a\n-b\n" NO_NEWLINE "+c\n" NO_NEWLINE, 1},
	{"CRLF", "a\r\nb\r\n", "a\r\nB\r\n",
	    "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n", 1},
	{"CRLF to LF", "a\r\nb\n", "a\nb\n",
	    "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\n", 1},
	{"blank lines", "\n\n\n", "\n\n", "@@ -1,3 +1,2 @@\n \n \n-\n", 1},
	{"two blocks, two hunks",
	    "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n",
	    "one\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n12a\n12b\n13\n",
	    "@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n"
	    "@@ -10,4 +10,6 @@\n 10\n 11\n 12\n+12a\n+12b\n 13\n",
	    3},
	{"two blocks, one hunk", "1\n2\n3\n4\n5\n", "one\n2\n3\n4\n",
	    "@@ -1,5 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n-5\n", 2},
	{"more added than removed", "1\n2\n3\n", "1\na\nb\nc\n3\n",
	    "@@ -1,3 +1,5 @@\n 1\n-2\n+a\n+b\n+c\n 3\n", 3},
	{"more removed than added", "1\n2\n3\n4\n5\n", "1\nx\n5\n",
	    "@@ -1,5 +1,3 @@\n 1\n-2\n-3\n-4\n+x\n 5\n", 3},
	/* Lines that look like a diff are text like any other. */
	{"marks in the text", "--- a\n+++ b\n@@ -1 +1 @@\n\\ No\n",
	    "--- a\n+++ c\n@@ -1 +1 @@\n\\ No\n",
	    "@@ -1,4 +1,4 @@\n --- a\n-+++ b\n++++ c\n @@ -1 +1 @@\n"
	    " \\ No\n",
	    1},
	/* The name behind @@ is the last line above that looks like one. */
	{"function", "int f(void)\n{\n\t1;\n\t2;\n\t3;\n\t4;\n}\n",
	    "int f(void)\n{\n\t1;\n\t2;\n\t3;\n\tx;\n}\n",
	    "@@ -3,5 +3,5 @@ int f(void)\n \t1;\n \t2;\n \t3;\n-\t4;\n+\tx;\n"
	    " }\n",
	    1},
	{"function, by the first of the letters", "a(\n 1\n 2\n 3\n 4\n",
	    "a(\n 1\n 2\n 3\n 5\n",
	    "@@ -2,4 +2,4 @@ a(\n  1\n  2\n  3\n- 4\n+ 5\n", 1},
	{"function with a blank end", "_f \t \r\n\n 1\n 2\n 3\n 4\n",
	    "_f \t \r\n\n 1\n 2\n 3\n x\n",
	    "@@ -3,4 +3,4 @@ _f\n  1\n  2\n  3\n- 4\n+ x\n", 1},
};

static void
by_hand(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct diff diff = make(arena,
		    unit_exact(arena, span_str(cases[i].old_text)),
		    unit_exact(arena, span_str(cases[i].new_text)));

		CHECK(span_eq(diff.hunks, span_str(cases[i].hunks)),
		    "%s:\n%.*s", cases[i].why, (int)diff.hunks.n,
		    diff.hunks.p);
		CHECK(diff.changed == cases[i].changed, "%s: %llu changed",
		    cases[i].why, (unsigned long long)diff.changed);
	}
}

static void
nul_is_text(struct arena *arena)
{
	struct diff diff = make(arena, SPAN("a\0b\nc\n"), SPAN("a\0B\nc\n"));

	ASSERT_SPAN(diff.hunks,
	    SPAN("@@ -1,2 +1,2 @@\n-a\0b\n+a\0B\n c\n"));
}

/*
 * xdiff has room for 80 bytes of a name.  A cut inside of a character would
 * make an answer that is not UTF-8.
 */
static void
function_names_are_cut_between_characters(struct arena *arena)
{
	static const char *const characters[] = {"x", "\xc3\xa9",
	    "\xe2\x82\xac", "\xf0\x9f\x98\x80"};

	for (size_t c = 0; c < COUNT_OF(characters); c++) {
		for (size_t before = 1; before < 90; before++) {
			struct buf old_text = buf_new(arena, 0);
			struct span new_text;
			struct diff diff;

			buf_add(&old_text,
			    unit_repeat(arena, SPAN("f"), before));
			buf_add(&old_text, unit_repeat(arena,
			    span_str(characters[c]), 60));
			buf_str(&old_text, "\n 1\n 2\n 3\n 4\n");
			new_text = unit_join(arena, buf_span(&old_text),
			    SPAN(" 5\n"));
			diff = make(arena, buf_span(&old_text), new_text);
			CHECK(span_starts(diff.hunks,
				  SPAN("@@ -3,3 +3,4 @@ f")),
			    "no name: %.*s", (int)diff.hunks.n, diff.hunks.p);
			CHECK(utf8_valid(diff.hunks),
			    "character %zu behind %zu", c, before);
		}
	}
}

static const char *const vocabulary[] = {"\n", "a\n", "b\n", "\ta\n", " b\n",
	"int f(void)\n", "{\n", "}\n", "\xc3\xa9\xc3\xa9\n", "a\r\n", "-\n",
	"+x\n", "@@ -1 +1 @@\n", "\\ No newline at end of file\n", "$_\n"};

/* LINES lines, now and then without the last LF. */
static struct span
random_text(struct arena *arena, struct chance *chance, size_t lines)
{
	struct buf text = buf_new(arena, 64);

	for (size_t i = 0; i < lines; i++)
		buf_str(&text,
		    vocabulary[chance_below(chance, COUNT_OF(vocabulary))]);
	if (text.n > 0 && chance_below(chance, 3) == 0)
		text.n--;
	return buf_span(&text);
}

/* OLD with some lines changed, dropped or added. */
static struct span
random_edit(struct arena *arena, struct chance *chance, struct span old)
{
	size_t rarely = 2 + chance_below(chance, 12);
	struct buf text = buf_new(arena, old.n);

	while (old.n > 0) {
		struct span line = next_line(&old);
		size_t luck = chance_below(chance, rarely);

		if (luck > 0)
			buf_add(&text, line);
		if (luck < 2 && chance_below(chance, 3) > 0)
			buf_add(&text, random_text(arena, chance, 1));
	}
	return buf_span(&text);
}

static void
at_random(struct arena *arena)
{
	struct chance chance = chance_new(6);

	for (int round = 0; round < 4000; round++) {
		struct span old_text = random_text(arena, &chance,
		    chance_below(&chance, 60));
		struct span new_text = round % 4 == 0
		    ? random_text(arena, &chance, chance_below(&chance, 60))
		    : random_edit(arena, &chance, old_text);
		struct diff diff = make(arena, unit_exact(arena, old_text),
		    unit_exact(arena, new_text));

		assert_true(utf8_valid(diff.hunks));
		/* For other texts it is not the diff. */
		assert_false(diff_applies(diff.hunks, old_text,
		    unit_join(arena, new_text, SPAN("x"))));
		assert_false(diff_applies(diff.hunks, old_text,
		    unit_join(arena, SPAN("x"), new_text)));
		assert_false(diff_applies(diff.hunks,
		    unit_join(arena, SPAN("x"), old_text), new_text));
		if (round % 50 == 0)
			arena_reset(arena);
	}
}

static void
large_texts(struct arena *arena)
{
	struct chance chance = chance_new(7);
	struct span old_text = random_text(arena, &chance, 12000);
	struct span new_text = random_edit(arena, &chance, old_text);

	(void)make(arena, old_text, new_text);
	(void)make(arena, old_text, SPAN(""));
	(void)make(arena, SPAN(""), new_text);
}

/* ---- applying ---- */

static const struct {
	const char *why, *hunks, *old_text, *new_text;
	bool applies;
} applications[] = {
	{"nothing to do", "", "a\n", "a\n", true},
	{"nothing said", "", "a\n", "b\n", false},
	{"right", "@@ -1 +1 @@\n-a\n+b\n", "a\n", "b\n", true},
	{"counts written out", "@@ -1,1 +1,1 @@\n-a\n+b\n", "a\n", "b\n",
	    true},
	{"a name", "@@ -1 +1 @@ int main\n-a\n+b\n", "a\n", "b\n", true},
	{"file names", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "a\n",
	    "b\n", false},
	{"wrong old text", "@@ -1 +1 @@\n-x\n+b\n", "a\n", "b\n", false},
	{"wrong new text", "@@ -1 +1 @@\n-a\n+x\n", "a\n", "b\n", false},
	{"wrong context", "@@ -1,2 +1,2 @@\n-a\n+b\n x\n", "a\nc\n", "b\nc\n",
	    false},
	{"context of the old side only", "@@ -1,2 +1,2 @@\n-a\n+b\n c\n",
	    "a\nc\n", "b\nd\n", false},
	{"old count too large", "@@ -1,2 +1 @@\n-a\n+b\n", "a\n", "b\n",
	    false},
	{"old count too small", "@@ -1 +1 @@\n-a\n-c\n+b\n", "a\nc\n", "b\n",
	    false},
	{"new count too large", "@@ -1 +1,2 @@\n-a\n+b\n", "a\n", "b\n",
	    false},
	{"new count too small", "@@ -1 +1 @@\n-a\n+b\n+c\n", "a\n", "b\nc\n",
	    false},
	{"wrong old position", "@@ -2 +1 @@\n-a\n+b\n", "a\n", "b\n", false},
	{"wrong new position", "@@ -1 +2 @@\n-a\n+b\n", "a\n", "b\n", false},
	{"position 0", "@@ -0 +1 @@\n-a\n+b\n", "a\n", "b\n", false},
	{"behind the end", "@@ -3,0 +4 @@\n+b\n", "a\n", "a\nb\n", false},
	{"shifted to an equal line", "@@ -2 +2 @@\n-a\n+b\n", "a\na\n",
	    "b\na\n", false},
	{"second hunk missing", "@@ -1 +1 @@\n-a\n+b\n", "a\nx\nc\n",
	    "b\nx\nd\n", false},
	{"second hunk there", "@@ -1 +1 @@\n-a\n+b\n@@ -3 +3 @@\n-c\n+d\n",
	    "a\nx\nc\n", "b\nx\nd\n", true},
	{"hunks in the wrong order",
	    "@@ -3 +3 @@\n-c\n+d\n@@ -1 +1 @@\n-a\n+b\n", "a\nx\nc\n",
	    "b\nx\nd\n", false},
	{"a hunk twice", "@@ -1 +1 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b\n", "a\n",
	    "b\n", false},
	{"text between hunks",
	    "@@ -1 +1 @@\n-a\n+b\n\n@@ -3 +3 @@\n-c\n+d\n", "a\nx\nc\n",
	    "b\nx\nd\n", false},
	{"text behind", "@@ -1 +1 @@\n-a\n+b\nmore\n", "a\n", "b\n", false},
	{"unknown mark", "@@ -1 +1 @@\n-a\n*b\n", "a\n", "b\n", false},
	{"no mark", "@@ -1,2 +1,2 @@\n\n-a\n+b\n", "\na\n", "\nb\n", false},
	{"cut body", "@@ -1 +1 @@\n-a\n", "a\n", "b\n", false},
	{"cut header", "@@ -1 +1", "a\n", "b\n", false},
	{"no new side", "@@ -1 @@\n-a\n", "a\n", "", false},
	{"sign in a number", "@@ -+1 +1 @@\n-a\n+b\n", "a\n", "b\n", false},
	{"empty number", "@@ - +1 @@\n-a\n+b\n", "a\n", "b\n", false},
	{"huge number", "@@ -1 +1,18446744073709551617 @@\n-a\n+b\n", "a\n",
	    "b\n", false},
	{"to nothing", "@@ -1 +0,0 @@\n-a\n", "a\n", "", true},
	{"from nothing", "@@ -0,0 +1 @@\n+a\n", "", "a\n", true},
	{"nothing said about the end", "@@ -1 +1 @@\n-a\n+b\n", "a", "b",
	    false},
	{"end of the old", "@@ -1 +1 @@\n-a\n" NO_NEWLINE "+b\n", "a", "b\n",
	    true},
	{"end of the new", "@@ -1 +1 @@\n-a\n+b\n" NO_NEWLINE, "a\n", "b",
	    true},
	{"end of the wrong side", "@@ -1 +1 @@\n-a\n" NO_NEWLINE "+b\n",
	    "a\n", "b", false},
	{"end where there is none", "@@ -1 +1 @@\n-a\n+b\n" NO_NEWLINE, "a\n",
	    "b\n", false},
	{"end in the middle",
	    "@@ -1,2 +1,2 @@\n-a\n" NO_NEWLINE "+b\n c\n", "a\nc\n",
	    "b\nc\n", false},
	{"a header that ends in the middle", "@@ -1 ", "a\n", "b\n", false},
	{"a line without a byte", "@@ -2 +2 @@\n-b\n+", "a\nb\nc", "a\nc",
	    false},
	{"CRLF kept", "@@ -1 +1 @@\n-a\r\n+b\r\n", "a\r\n", "b\r\n", true},
	{"CRLF lost", "@@ -1 +1 @@\n-a\n+b\n", "a\r\n", "b\r\n", false},
};

static void
applying_by_hand(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(applications); i++) {
		struct span hunks = span_str(applications[i].hunks);
		struct span old_text = span_str(applications[i].old_text);
		struct span new_text = span_str(applications[i].new_text);
		struct span made;

		CHECK(diff_applies(unit_exact(arena, hunks),
			  unit_exact(arena, old_text),
			  unit_exact(arena, new_text)) ==
			applications[i].applies,
		    "%s", applications[i].why);
		CHECK((diff_apply(arena, hunks, old_text, &made) &&
			  span_eq(made, new_text)) == applications[i].applies,
		    "%s: what is made of it", applications[i].why);
	}
}

/* The lines of HUNKS, each after its mark and its numbers. */
static struct span
rows_of(struct arena *arena, struct span hunks)
{
	struct diff_rows rows = diff_rows(hunks);
	struct buf text = buf_new(arena, 64);
	struct diff_row row;

	while (diff_next_row(&rows, &row)) {
		buf_char(&text, row.sign);
		buf_u64(&text, row.old_line);
		buf_char(&text, ',');
		buf_u64(&text, row.new_line);
		buf_char(&text, ':');
		buf_add(&text, row.text);
		buf_char(&text, ' ');
	}
	buf_str(&text, rows.broken ? "broken" : "end");
	return buf_span(&text);
}

static void
rows_one_by_one(struct arena *arena)
{
	static const char longer[] = "@@ -1,2 +1,2 @@\n a\n b\n";
	static const char nothing[] = "@@ -0,0 +0,0 @@\n";

	ASSERT_TEXT(rows_of(arena, SPAN("@@ -1,2 +1,2 @@\n a\n-b\n+c\n")),
	    " 1,1:a -2,2:b +3,2:c end");
	/* What is there of the last line, and of an empty one. */
	ASSERT_TEXT(rows_of(arena, SPAN("@@ -1 +1 @@\n-b\n+c\n" NO_NEWLINE)),
	    "-1,1:b +2,1:c end");
	ASSERT_TEXT(rows_of(arena, SPAN("@@ -1 +1 @@\n-\n+c\n")),
	    "-1,1: +2,1:c end");
	/* More lines, or fewer, than the header says. */
	ASSERT_TEXT(
	    rows_of(arena, SPAN("@@ -1 +1 @@\n+b\n+c\n")), "+1,1:b broken");
	ASSERT_TEXT(
	    rows_of(arena, SPAN("@@ -1 +1 @@\n-b\n-c\n")), "-1,1:b broken");
	/* What stands after them is not a part of them. */
	ASSERT_TEXT(rows_of(arena, (struct span){longer, sizeof(longer) - 4}),
	    " 1,1:a broken");
	assert_true(diff_applies(SPAN("@@ -0,0 +0,0 @@\n"), SPAN("a"), SPAN("a")));
	assert_false(diff_applies(
	    (struct span){nothing, strlen("@@ -0,0 ")}, SPAN("a"), SPAN("a")));
}

/*
 * Bytes that mean nothing: what stands behind the second @@ of a header, and
 * the words behind the backslash of "\ No newline".
 */
static void
mark_free_bytes(struct arena *arena, struct span hunks, bool *is_free)
{
	struct span rest = hunks;

	while (rest.n > 0) {
		struct span line = next_line(&rest);
		size_t from = (size_t)(line.p - hunks.p);
		size_t end = from + line.n - (rest.n > 0 ? 1 : 0);
		const char *text = arena_cstr(arena, line);

		if (text[0] == '@')
			from = (size_t)(strstr(text + 2, "@@") - text) + 2 +
			    from;
		else if (text[0] == '\\')
			from++;
		else
			continue;
		while (from < end)
			is_free[from++] = true;
	}
}

static void
check_tampering(struct arena *arena, struct span old_text,
    struct span new_text)
{
	struct diff diff = make(arena, old_text, new_text);
	bool *is_free = arena_array(arena, diff.hunks.n, sizeof(*is_free));
	char *bytes = arena_cstr(arena, diff.hunks);

	mark_free_bytes(arena, diff.hunks, is_free);
	for (size_t i = 0; i < diff.hunks.n; i++) {
		char right = bytes[i];

		for (int c = 0; c < 256; c++) {
			bytes[i] = (char)c;
			if (bytes[i] == right || (is_free[i] && c != '\n'))
				continue;
			CHECK(!diff_applies(span_of(bytes, diff.hunks.n),
				  old_text, new_text),
			    "byte %zu changed from %d to %d in\n%.*s", i,
			    right, c, (int)diff.hunks.n, diff.hunks.p);
		}
		bytes[i] = right;
	}
	/*
	 * Nor does it work when its end, or its beginning, is missing.  Cut
	 * before the LF that a "\ No newline" takes back, it says the same.
	 */
	for (size_t n = 1; n < diff.hunks.n; n++) {
		bool same = is_free[n] || memcmp(bytes + n, "\n\\", 2) == 0;

		CHECK(same || !diff_applies(unit_exact(arena,
				      span_of(bytes, n)), old_text, new_text),
		    "cut at %zu:\n%.*s", n, (int)n, bytes);
		CHECK(!diff_applies(span_from(diff.hunks, n), old_text,
			  new_text),
		    "from %zu:\n%s", n, bytes + n);
	}
}

static void
tampered_diffs_are_rejected(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		if (cases[i].hunks[0] != '\0')
			check_tampering(arena, span_str(cases[i].old_text),
			    span_str(cases[i].new_text));
}

/* ---- usefulness ---- */

static void
useful_at_the_edges(struct arena *arena)
{
	static const struct {
		struct diff_cost cost;
		bool useful;
	} rows[] = {
		/* answer bytes, lines, diff lines, plain bytes, lines */
		{{100, 10, 8, 1000, 100}, true},
		/* 0.9 of the bytes */
		{{900, 10, 8, 1000, 100}, true},
		{{901, 10, 8, 1000, 100}, false},
		{{900, 10, 8, 1001, 100}, true},
		{{901, 10, 8, 1001, 100}, false},
		{{901, 10, 8, 1002, 100}, true}, /* 901.8 */
		{{9, 1, 1, 10, 100}, true},
		{{10, 1, 1, 10, 100}, false},
		{{1, 1, 1, 0, 100}, false},
		/* 0.85 of the lines */
		{{100, 90, 85, 1000, 100}, true},
		{{100, 90, 86, 1000, 100}, false},
		{{100, 90, 85, 1000, 101}, true},
		{{100, 90, 86, 1000, 101}, false}, /* 85.85 */
		{{100, 90, 86, 1000, 102}, true},  /* 86.7 */
		{{10, 5, 1, 1000, 1}, false},
		{{10, 5, 1, 1000, 2}, true},
		/* what the host would truncate */
		{{51200, 1000, 900, 100000, 11000}, true},
		{{51201, 1000, 900, 100000, 11000}, false},
		{{50000, 2000, 1900, 100000, 11000}, true},
		{{50000, 2001, 1900, 100000, 11000}, false},
	};

	(void)arena;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK(diff_useful(&rows[i].cost) == rows[i].useful, "row %zu",
		    i);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(by_hand),
		TEST(nul_is_text),
		TEST(function_names_are_cut_between_characters),
		TEST(at_random),
		TEST(large_texts),
		TEST(applying_by_hand),
		TEST(rows_one_by_one),
		TEST(tampered_diffs_are_rejected),
		TEST(useful_at_the_edges),
	};

	return RUN_TESTS(tests);
}
