/*
 * The plan of a pieced answer: what is said of lines, where each of them comes
 * from being known.
 */
#include "unit_view.h"

#include <stdlib.h>

#include "answer/pieces.h"
#include "base/digest.h"

struct plan {
	struct arena *arena;
	struct span now, made; /* MADE.p NULL: the reader made nothing */
	uint64_t first;	       /* the first line asked for */
	/*
	 * Where they come from, as words like "s5:7": five lines that were
	 * shown, from line 7 on.  Or v: the same, and it is vague; o: own
	 * lines; e: own lines by an edit; t: text.
	 */
	const char *known;
	bool others, written, cut_end, beside;
};

static void
write_kind(struct buf *out, const struct run *run)
{
	static const char *const names[] = {[TRACE_TEXT] = "text ",
	    [TRACE_SHOWN] = "shown ",
	    [TRACE_OWN] = "own "};

	buf_str(out, names[run->kind]);
	buf_u64(out, run->first);
	buf_char(out, '-');
	buf_u64(out, run->last);
}

/* The form and its runs, in short; of P3 and P4 the places. */
static struct span
describe(struct arena *arena, const struct pieces *pieces)
{
	static const char *const forms[] = {[PIECES_NONE] = "none",
	    [PIECES_WRITTEN] = "written",
	    [PIECES_EDITED] = "edited",
	    [PIECES_UNCHANGED] = "unchanged",
	    [PIECES_MOVED] = "moved",
	    [PIECES_PARTS] = "parts"};
	struct buf out = buf_new(arena, 256);

	buf_str(&out, forms[pieces->form]);
	if (pieces->form == PIECES_PARTS)
		for (size_t i = 0; i < pieces->n; i++) {
			buf_str(&out, i > 0 ? ", " : ": ");
			write_kind(&out, &pieces->runs[i]);
		}
	if (pieces->form == PIECES_EDITED)
		for (size_t i = 0; i < pieces->nplaces; i++) {
			buf_str(&out, i > 0 ? ", " : ": ");
			buf_u64(&out, pieces->places[i].first);
			buf_char(&out, '-');
			buf_u64(&out, pieces->places[i].last);
		}
	return buf_span(&out);
}

/* Add the lines that WORD stands for. */
static void
add_lines(struct trace *trace, struct traced_line *lines, const char *word,
    struct library_version *seen)
{
	char *end;
	uint64_t n = strtoull(word + 1, &end, 10);
	uint64_t former = *end == ':' ? strtoull(end + 1, NULL, 10) : 0;

	for (uint64_t k = 0; k < n; k++)
		lines[trace->n++] = (struct traced_line){
		    .kind = strchr("sv", *word) != NULL	  ? TRACE_SHOWN
			    : strchr("oe", *word) != NULL ? TRACE_OWN
							  : TRACE_TEXT,
		    .former = former > 0 ? former + k : 0,
		    .from = seen,
		    .edited = *word == 'e',
		    .vague = *word == 'v'};
	trace->whole = trace->whole && *word != 't';
}

static struct span
plan(const struct plan *p)
{
	struct trace trace = {.whole = true,
	    .placed = true,
	    .others = p->others,
	    .written = p->written,
	    .cut_end = p->cut_end};
	struct library_version made = {.there = true, .piece = {p->made, 1}};
	struct library_version seen = {.there = true, .piece = {p->now, 1}};
	struct question question = {
	    .hash = digest_of(p->now), .read_beside = p->beside};
	struct scale scale = {.arena = p->arena,
	    .asked = &question,
	    .trust = trust_new(p->arena),
	    .now = {.there = true, .piece = {p->now, 1}}};
	struct traced_line *lines = arena_array(p->arena, 200, sizeof(*lines));
	struct excerpt shown;
	struct pieces pieces;

	for (const char *word = p->known; word != NULL;
	     word = strchr(word, ' ')) {
		word += *word == ' ';
		add_lines(&trace, lines, word, &seen);
	}
	trace.lines = arena_array(p->arena, trace.n, sizeof(*lines));
	memcpy(trace.lines, lines, trace.n * sizeof(*lines));
	trace.made = p->made.p != NULL ? &made : NULL;
	shown = unit_shown(p->arena, p->now, p->first, trace.n);
	question.shown = &shown;
	pieces = pieces_plan(&scale, &trace);
	return describe(p->arena, &pieces);
}

/* Lines of NOW from FIRST on, of which KNOWN is known. */
static struct plan
plan_of(struct arena *arena, struct span now, struct span made, uint64_t first,
    const char *known)
{
	return (struct plan){.arena = arena,
	    .now = now,
	    .made = made,
	    .first = first,
	    .known = known};
}

static void
expect(struct arena *arena, struct span now, struct span made, uint64_t first,
    const char *known, const char *says)
{
	struct plan p = plan_of(arena, now, made, first, known);

	ASSERT_TEXT(plan(&p), says);
}

static const struct span nothing;

/*
 * A text of a line for each letter: upper and lower case letters are lines of
 * 70 bytes, and the same letter is the same line.
 */
static struct span
lines_of(struct arena *arena, const char *letters)
{
	struct buf text = buf_new(arena, 4096);

	for (; *letters != '\0'; letters++) {
		for (int i = 0; i < 70; i++)
			buf_char(&text, *letters);
		if (letters[1] != '\0')
			buf_char(&text, '\n');
	}
	return buf_span(&text);
}

/* ---- own lines that others have moved ---- */

/* A line of them goes before: by it the reader finds the rest. */
static void
test_lead(struct arena *arena)
{
	struct span made = lines_of(arena, "abcdefghijkl");
	struct span now = lines_of(arena, "Xabcdefghijkl");

	expect(arena, now, made, 1, "t1 o12:1", "parts: text 1-2, own 3-13");
	/* Nothing else is sent of a range that has no other line. */
	expect(arena, now, made, 3, "o11:2", "parts: text 3-3, own 4-13");
	expect(arena, now, made, 13, "o1:12", "none");
}

/* The line must be there only once: now, and in what the reader made. */
static void
test_lead_that_is_there_twice(struct arena *arena)
{
	struct span made = lines_of(arena, "abcdefghijkl");
	struct span now = lines_of(arena, "Xabcdefghijkl");

	expect(arena, lines_of(arena, "aabcdefghijkl"), made, 1, "t1 o12:1",
	    "parts: text 1-3, own 4-13");
	expect(arena, now, lines_of(arena, "abcdefghijkla"), 1, "t1 o12:1",
	    "parts: text 1-3, own 4-13");
}

/* A line is all between two line ends. */
static void
test_only_line(struct arena *arena)
{
	static const struct {
		const char *text, *line;
		bool once;
	} rows[] = {
	    {"ab", "ab", true},
	    {"ab\nc", "ab", true},
	    {"c\nab", "ab", true},
	    {"c\nab\nd", "ab", true},
	    {"c\nab\nab", "ab", false},
	    {"ab\nc\nab", "ab", false},
	    {"ab\nab\nc", "ab", false},
	    {"xab\nab", "ab", true},
	    {"abx\nab", "ab", true},
	    {"xab\nc", "ab", false},
	    {"abx\nc", "ab", false},
	    {"c\nxab", "ab", false},
	    {"c\nabx", "ab", false},
	    {"aaa\naa", "aa", true},
	    {"xab\nabx\nxabx\nab\nc", "ab", true},
	    {"a\n\nb", "", false},
	    {"", "a", false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		CHECK(scale_is_only_line(
			  unit_exact(arena, span_str(rows[i].text)),
			  span_str(rows[i].line)) == rows[i].once,
		    "row %zu", i);
}

/* Eight lines are tried. */
static void
test_lead_that_is_far(struct arena *arena)
{
	struct span made = lines_of(arena, "aaaaaaabcdefghijklmnopqrst");
	struct span now = lines_of(arena, "Xaaaaaaabcdefghijklmnopqrst");

	expect(arena, now, made, 1, "t1 o26:1", "parts: text 1-9, own 10-27");
	made = lines_of(arena, "aaaaaaaabcdefghijklmnopqrst");
	now = lines_of(arena, "Xaaaaaaaabcdefghijklmnopqrst");
	expect(arena, now, made, 1, "t1 o27:1", "none");
	expect(arena, now, made, 1, "t1 o9:1 s18:11",
	    "parts: text 1-10, shown 11-28");
}

/* There are four parts at most: no room for a line that goes before. */
static void
test_lead_and_the_number_of_parts(struct arena *arena)
{
	struct span now = lines_of(arena, "abcdefghijklmnopqrstuvwxyz");
	struct span made = lines_of(arena, "Xabcdefghijklmnopqrstuvwxyz");

	expect(arena, now, made, 1, "o3:2 t1 s20:5 t2",
	    "parts: text 1-4, shown 5-24, text 25-26");
	expect(arena, now, made, 1, "o3:2 t1 s22:5",
	    "parts: text 1-1, own 2-3, text 4-4, shown 5-26");
	expect(arena, now, made, 1, "t1 o11:3 t1 o13:15",
	    "parts: text 1-2, own 3-12, text 13-14, own 15-26");
}

/* What comes after the line must be worth a part. */
static void
test_lead_of_little(struct arena *arena)
{
	for (size_t n = 62; n <= 67; n++) {
		struct span rest = unit_join(
		    arena, SPAN("\n"), unit_repeat(arena, SPAN("y"), n));
		struct span tail = unit_join(arena, lines_of(arena, "s"), rest);
		struct span known =
		    unit_join(arena, lines_of(arena, "abcdefgh"), SPAN("\n"));

		expect(arena, unit_join(arena, known, tail),
		    unit_join(arena, SPAN("X\nX\n"), tail), 1, "s8:1 o2:3",
		    n > 64 ? "parts: shown 1-8, text 9-9, own 10-10"
			   : "parts: shown 1-8, text 9-10");
	}
}

/* Lines that stand beside each other, some of which have moved. */
static void
test_moved_and_not(struct arena *arena)
{
	struct span now = lines_of(arena, "abcdefghijklmnop");
	struct span made = lines_of(arena, "XXhijklmnop");

	/* Lines 8 to 16 stood from line 3 on. */
	expect(arena, now, made, 1, "o7 o9:3",
	    "parts: own 1-7, text 8-8, own 9-16");
	/* They were the first ones. */
	made = lines_of(arena, "hijklmnop");
	expect(arena, now, made, 1, "o7 o9:1",
	    "parts: own 1-7, text 8-8, own 9-16");
	made = lines_of(arena, "XXabcdefg");
	expect(arena, now, made, 1, "o7:3 o9",
	    "parts: text 1-1, own 2-7, text 8-8, own 9-16");
}

/* ---- own lines that have their numbers ---- */

/*
 * After a text the reader looks for its last line in what it made: so this is
 * one of its own, whatever stands before that.
 */
static void
test_own_after_text(struct arena *arena)
{
	static const char *const made[] = {
	    "abmdefghijkl", "abm", "abcmefghijkl", "ammdefghijkl"};
	struct span now = lines_of(arena, "TUVmefghijklnopqrstu");

	for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++)
		expect(arena, now, lines_of(arena, made[i]), 1, "t4 o2 s14:7",
		    "parts: text 1-5, own 6-6, shown 7-20");
	expect(arena, now, nothing, 1, "t4 o2 s14:7",
	    "parts: text 1-5, own 6-6, shown 7-20");
	/* Of one line nothing is left then. */
	expect(arena, now, nothing, 1, "t4 o1 s15:6",
	    "parts: text 1-5, shown 6-20");
}

/* They are found by their numbers at the beginning, and after what was shown.
 */
static void
test_no_text_before(struct arena *arena)
{
	struct span now = lines_of(arena, "TUVmefghijklnopqrstu");
	struct span made = lines_of(arena, "abmdefghijkl");

	expect(arena, now, made, 1, "t1 s3:2 o16",
	    "parts: text 1-1, shown 2-4, own 5-20");
	expect(arena, now, made, 5, "o15 t1", "parts: own 5-19, text 20-20");
}

/* ---- the forms ---- */

static void
test_all_is_edited(struct arena *arena)
{
	struct span now = lines_of(arena, "abcd");
	struct plan p = plan_of(arena, now, nothing, 1, "e4");

	ASSERT_TEXT(plan(&p), "edited: 1-4");
	p = plan_of(arena, now, nothing, 2, "e2");
	ASSERT_TEXT(plan(&p), "written");
	p = plan_of(arena, now, nothing, 2, "e3");
	p.cut_end = true;
	ASSERT_TEXT(plan(&p), "edited: 2-4, 0-0");
}

/* P1: the whole file as the reader wrote it, in one go, and nobody else. */
static void
test_written(struct arena *arena)
{
	struct span now = lines_of(arena, "abcdefghijklmnopqrst");
	struct plan p = plan_of(arena, now, nothing, 1, "o20");

	p.written = true;
	ASSERT_TEXT(plan(&p), "written");
	p.others = true;
	ASSERT_TEXT(plan(&p), "parts: own 1-20");
	p = plan_of(arena, now, nothing, 1, "s9:1 o11");
	p.written = true;
	ASSERT_TEXT(plan(&p), "parts: shown 1-9, own 10-20");
	/* It has changed more places since than are named. */
	p.known = "o1 e1 o1 e1 o1 e1 o1 e1 o1 e1 o1 e1 o1 e1 o1 e1 o1 e1 o1 e1";
	ASSERT_TEXT(plan(&p), "parts: own 1-20");
}

/* A number under which another line was shown since tells nothing. */
static void
test_vague(struct arena *arena)
{
	struct span now = lines_of(arena, "abcdefghijkl");

	expect(arena, now, nothing, 1, "s5:1 v1:6 s6:7",
	    "parts: shown 1-5, text 6-6, shown 7-12");
	expect(arena, now, nothing, 2, "v5:2", "none");
	/* Where places of edits say all, it is not needed. */
	expect(arena, now, nothing, 1, "s5:1 v1:6 s5:7 e1", "edited: 12-12");
}

/* ---- another read is beside it ---- */

static void
test_beside_another_read(struct arena *arena)
{
	struct span now = lines_of(arena, "abcdefghijklmnopqrst");
	struct span made = lines_of(arena, "Xabcdefghijklmnopqrst");
	struct plan p = plan_of(arena, now, made, 1, "o15 o5:17");

	/* Own lines by the numbers that they have; others by none. */
	p.beside = true;
	ASSERT_TEXT(plan(&p), "parts: own 1-15, text 16-20");
	p = plan_of(arena, now, now, 1, "o15 o5:16");
	p.beside = true;
	ASSERT_TEXT(plan(&p), "parts: own 1-15, text 16-20");
	/* What becomes text is one text. */
	p = plan_of(arena, now, made, 1, "s5:1 o1:7 t1 o1:9 s12:9");
	p.beside = true;
	ASSERT_TEXT(plan(&p), "parts: shown 1-5, text 6-8, shown 9-20");
}

/* Lines of text are one text, wherever they were. */
static void
test_texts_are_one(struct arena *arena)
{
	struct span now = lines_of(arena, "abcdefghijklmnopqrst");

	expect(arena, now, nothing, 1, "s5:1 t1:3 t1:9 t1:4 s12:9",
	    "parts: shown 1-5, text 6-8, shown 9-20");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_lead),
	    TEST(test_lead_that_is_there_twice),
	    TEST(test_only_line),
	    TEST(test_lead_that_is_far),
	    TEST(test_lead_and_the_number_of_parts),
	    TEST(test_lead_of_little),
	    TEST(test_moved_and_not),
	    TEST(test_own_after_text),
	    TEST(test_no_text_before),
	    TEST(test_all_is_edited),
	    TEST(test_written),
	    TEST(test_vague),
	    TEST(test_beside_another_read),
	    TEST(test_texts_are_one),
	};

	return RUN_TESTS(tests);
}
