#include "unit_reader.h"

#include "diff/apply.h"
#include "diff/unified.h"
#include "inspect/sheet.h"

static const struct span v1 = LIT("a\nb\nc\nd\ne\n");
static const struct span v2 = LIT("a\nb\nc\nD\ne\n");
static const struct span v3 = LIT("a\nB\nc\nD\ne\n");

/* ---- markers ---- */

static void
test_whole(struct arena *arena)
{
	struct reader r = reader_new(arena);

	expect(&r, marker(&r, "[readcache: unchanged, 6 lines]", &v1, &v1),
	    "nothing of the file was shown");
	show(&r, v1, 1);
	expect(&r, marker(&r, "[readcache: unchanged, 6 lines]", &v1, &v1), "");
	expect(&r, marker(&r, "[readcache: unchanged, 6 lines]", NULL, NULL),
	    "");
	expect(&r, marker(&r, "[readcache: unchanged, 6 lines]", &v2, &v2),
	    "what was shown is another version of the file");
	expect(&r, marker(&r, "[readcache: unchanged, 5 lines]", NULL, NULL),
	    "the file was last shown with 6 lines, not 5");
	expect(&r, marker(&r, "[readcache: unchanged, 9 lines]", NULL, NULL),
	    "lines 7-9 were never shown");
}

static void
test_parts_make_a_whole(struct arena *arena)
{
	struct reader r = reader_new(arena);

	show_lines(&r, v1, 1, 3);
	expect(&r, marker(&r, "[readcache: unchanged, 6 lines]", &v1, &v1),
	    "lines 4-6 were never shown");
	show_lines(&r, v1, 4, 6);
	expect(&r, marker(&r, "[readcache: unchanged, 6 lines]", &v1, &v1), "");
	expect(&r, marker(&r, "[readcache: unchanged, 6 lines]", NULL, NULL),
	    "");
	/* Line 4 is of another version now. */
	show_lines(&r, v2, 4, 4);
	expect(&r, marker(&r, "[readcache: unchanged, 6 lines]", &v1, &v1),
	    "what was shown is another version of the file");
	expect(&r, marker(&r, "[readcache: unchanged, 6 lines]", &v2, &v2), "");
	expect(&r, marker(&r, "[readcache: unchanged, 6 lines]", NULL, NULL),
	    "");
}

static void
test_lines(struct arena *arena)
{
	struct reader r = reader_new(arena);
	static const char same[] = "[readcache: unchanged in lines 2-3 of 6]";
	static const char other[] = "[readcache: unchanged in lines 2-3; "
				    "changes exist outside this range]";

	expect(&r, marker(&r, same, &v1, &v1), "nothing of the file was shown");
	show_lines(&r, v1, 2, 3);
	expect(&r, marker(&r, same, &v1, &v1), "");
	expect(&r, marker(&r, same, &v3, &v3),
	    "no text of the version it speaks of was shown");
	/* A chain of versions, each known by the marker before. */
	expect(&r, marker(&r, other, &v2, &v1), "");
	expect(&r, marker(&r, same, &v2, &v2), "");
	expect(&r, marker(&r, "[readcache: unchanged in lines 2-4 of 6]", &v1,
		       &v1),
	    "line 4 was never shown");
	/* Another text of line 2 is shown, then line 2 of v1 is spoken of. */
	show_lines(&r, v3, 1, 4);
	expect(&r, marker(&r, same, &v1, &v1),
	    "line 2 was last shown with another text");
	expect(&r, marker(&r, same, &v3, &v3), "");
	expect(&r, marker(&r, other, &v1, &v3),
	    "line 2 was last shown with another text");
}

/* Lines of several versions, each as it was shown last. */
static void
test_coverage(struct arena *arena)
{
	struct reader r = reader_new(arena);
	static const char text[] = "[readcache: unchanged in lines 1-5; "
				   "changes exist outside this range]";
	static const struct span v4 = LIT("a\nB\nc\nD\ne\nf\n");
	static const struct span v5 = LIT("1\n2\n3\n4\n5\n6\n");
	static const struct span v6 = LIT("6\n5\n4\n3\n2\n1\n");

	show_lines(&r, v1, 1, 5);
	show_lines(&r, v3, 2, 4);
	expect(&r, marker(&r, text, &v4, &v1), "");
	expect(&r, marker(&r, text, &v4, &v4), "");
	/* In parts: of which version, no text can tell. */
	expect(&r, marker(&r, text, &v2, &v2), "");
	expect(&r, marker(&r, text, &v5, &v6),
	    "no text of the version it speaks of was shown");
	expect(&r, marker(&r, text, &v1, &v1),
	    "line 2 was last shown with another text");
	expect(&r, marker(&r, text, &v3, &v1), "");
}

static void
test_lie_is_no_version(struct arena *arena)
{
	struct reader r = reader_new(arena);
	static const char text[] = "[readcache: unchanged in lines 1-2 of 6]";

	show_lines(&r, v1, 1, 2);
	expect(&r, marker(&r, text, &v3, &v3),
	    "no text of the version it speaks of was shown");
	expect(&r, marker(&r, text, &v3, &v3),
	    "no text of the version it speaks of was shown");
}

static void
test_cut_marker(struct arena *arena)
{
	struct reader r = reader_new(arena);
	struct answer_said said;

	show_lines(&r, v1, 1, 5);
	expect(&r, marker(&r, "[readcache: unchanged in lines 1-5 of 6]\n\n"
		       "[Showing lines 1-5 of 6 (50.0KB limit). "
		       "Use offset=6 to continue.]", &v1, &v1),
	    "");
	assert_false(said_compact(arena,
	    SPAN("[readcache: unchanged in lines 1-5 of 6]\n\n"
		 "[Showing lines 1-4 of 6. Use offset=5 to continue.]"),
	    &said));
	assert_false(said_compact(arena,
	    SPAN("[readcache: unchanged in lines 5-4 of 6]"), &said));
	assert_false(said_compact(arena, SPAN("[readcache: redacted]"),
	    &said));
}

/* ---- texts ---- */

static void
test_too_long(struct arena *arena)
{
	struct reader r = reader_new(arena);

	show(&r, SPAN("[Line 1 is 58.6KB, exceeds 50.0KB limit. Use bash: "
		      "sed -n '1p' x | head -c 51200]"), 1);
	expect(&r, marker(&r, "[readcache: unchanged, 1 lines]", NULL, NULL),
	    "nothing of the file was shown");
	show(&r, v1, 1);
	show(&r, SPAN("[Line 2 is 58.6KB, exceeds 50.0KB limit. Use bash: "
		      "sed -n '2p' x | head -c 51200]"), 2);
	expect(&r, marker(&r, "[readcache: unchanged, 6 lines]", &v1, &v1),
	    "line 2 was never shown");
}

/* What looks like a notice may be the file's own words. */
static void
test_false_notice(struct arena *arena)
{
	struct reader r = reader_new(arena);
	struct span text = SPAN("a\n\n[4 more lines in file. Use offset=2 to "
				"continue.]");
	struct known_answer answer = answer_of(&r, text, 1,
	    meta_of(arena, MODE_FULL, text));

	assert_int_equal(answer.said.kind, SAID_TEXT);
	assert_int_equal(answer.said.last, 3);
	text = SPAN("[readcache: unchanged, 6 lines]");
	answer = answer_of(&r, text, 1, meta_of(arena, MODE_FULL, text));
	assert_int_equal(answer.said.kind, SAID_TEXT);
	answer = answer_of(&r, text, 1, NULL);
	assert_int_equal(answer.said.kind, SAID_SAME);
}

static void
test_cut_text(struct arena *arena)
{
	struct reader r = reader_new(arena);
	struct buf text = buf_new(arena, 1 << 16);

	for (int i = 0; i < 2000; i++)
		buf_str(&text, i > 0 ? "\nx" : "x");
	buf_str(&text, "\n\n[Showing lines 1-2000 of 3001. "
		       "Use offset=2001 to continue.]");
	show(&r, buf_span(&text), 1);
	expect(&r, marker(&r, "[readcache: unchanged, 3001 lines]", NULL,
		       NULL),
	    "lines 2001-3001 were never shown");
	expect(&r, marker(&r, "[readcache: unchanged in lines 2001-3001 of "
			      "3001]", NULL, NULL),
	    "lines 2001-3001 were never shown");
	expect(&r, marker(&r, "[readcache: unchanged in lines 7-2000 of "
			      "3001]", NULL, NULL),
	    "");
}

static void
test_unknown(struct arena *arena)
{
	struct reader r = reader_new(arena);
	struct known_answer unknown = {.said = {.kind = SAID_UNKNOWN}};

	show(&r, v1, 1);
	knowledge_take(r.knowledge, &unknown, arena);
	expect(&r, marker(&r, "[readcache: unchanged, 6 lines]", &v1, &v1),
	    "nothing of the file was shown");
}

/* Lines that are far away cost nothing. */
static void
test_far_lines(struct arena *arena)
{
	struct reader r = reader_new(arena);

	show(&r, SPAN("x"), NUMBER_MAX - 5);
	expect(&r, marker(&r, "[readcache: unchanged, 9007199254740986 lines]",
		       NULL, NULL),
	    "lines 1-9007199254740985 were never shown");
	expect(&r, marker(&r, "[readcache: unchanged in lines "
		       "9007199254740986-9007199254740986 of "
		       "9007199254740986]", NULL, NULL),
	    "");
}

/* ---- diffs ---- */

static struct known_answer
diff_answer(struct reader *r, struct span from, struct span to, bool meta)
{
	struct buf text = buf_new(r->arena, 256);
	struct meta *about = NULL;
	struct diff diff;

	assert_true(diff_make(r->arena, from, to, &diff));
	buf_str(&text, "[readcache: 1 lines changed of ");
	buf_u64(&text, lines_count(to));
	buf_str(&text, "]\n--- a/x\n+++ b/x\n");
	buf_add(&text, diff.hunks);
	if (meta) {
		about = meta_of(r->arena, MODE_DIFF, to);
		about->read.has_base = true;
		about->read.base = digest_of(from);
	}
	return answer_of(r, buf_span(&text), 1, about);
}

static void
test_diff(struct arena *arena)
{
	struct reader r = reader_new(arena);

	expect(&r, diff_answer(&r, v1, v2, true),
	    "the file was not shown whole before the diff");
	r = reader_new(arena);
	show(&r, v1, 1);
	expect(&r, diff_answer(&r, v1, v2, true), "");
	expect(&r, diff_answer(&r, v2, v3, false), "");
	expect(&r, marker(&r, "[readcache: unchanged, 6 lines]", &v3, &v3), "");
	expect(&r, marker(&r, "[readcache: unchanged in lines 2-4 of 6]", &v3,
		       &v3),
	    "");
	expect(&r, diff_answer(&r, v1, v2, true),
	    "the diff is for another version than the one shown");
}

static void
test_diff_that_lies(struct arena *arena)
{
	struct reader r = reader_new(arena);
	struct known_answer answer;

	show(&r, v1, 1);
	answer = diff_answer(&r, v1, v2, true);
	((struct event *)(uintptr_t)&answer.meta->read)->served = digest_of(v3);
	expect(&r, answer, "the diff gives another version than it says");
	r = reader_new(arena);
	show(&r, v3, 1);
	expect(&r, diff_answer(&r, v1, v2, false),
	    "the diff does not fit the text that was shown");
	answer = diff_answer(&r, v1, v2, false);
	answer.said.text.n -= 3;
	expect(&r, answer, "it is not a diff that could be applied");
	expect(&r, marker(&r, "[readcache: unchanged, 6 lines]", &v3, &v3),
	    "nothing of the file was shown");
}

/* A part of a third version was shown between base and diff. */
static void
test_diff_and_parts(struct arena *arena)
{
	static const struct span v4 = LIT("a\nb\nc\nX\ne\n");
	struct reader r = reader_new(arena);

	show(&r, v1, 1);
	show_lines(&r, v2, 3, 5); /* of the new side */
	expect(&r, diff_answer(&r, v1, v3, true), "");
	r = reader_new(arena);
	show(&r, v1, 1);
	show_lines(&r, v4, 3, 5);
	expect(&r, diff_answer(&r, v1, v3, true),
	    "line 4, shown since, is on neither side of the diff");
}

/* The base was shown page by page. */
static void
test_diff_of_pages(struct arena *arena)
{
	struct reader r = reader_new(arena);

	show_lines(&r, v1, 1, 3);
	expect(&r, diff_answer(&r, v1, v2, true),
	    "the file was not shown whole before the diff");
	r = reader_new(arena);
	show_lines(&r, v1, 1, 3);
	show_lines(&r, v1, 4, 6);
	expect(&r, diff_answer(&r, v2, v3, true),
	    "the diff is for another version than the one shown");
	r = reader_new(arena);
	show(&r, v3, 1);
	show_lines(&r, v1, 1, 3);
	show_lines(&r, v1, 4, 6);
	expect(&r, diff_answer(&r, v1, v2, true), "");
	expect(&r, marker(&r, "[readcache: unchanged, 6 lines]", &v2, &v2), "");
}

/* The base was taken away: what the diff shows counts, the rest has moved. */
static void
test_diff_without_base(struct arena *arena)
{
	static const struct span old_text = LIT("1\n2\n3\n4\n5\n6\n7\n8\n9\n");
	static const struct span new_text =
	    LIT("0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
	struct reader r = reader_new(arena);

	show_lines(&r, old_text, 6, 8);
	knowledge_take(r.knowledge,
	    (struct known_answer[]){diff_answer(&r, old_text, new_text, true)},
	    arena);
	expect(&r, marker(&r, "[readcache: unchanged in lines 1-4 of 11]",
		       &new_text, &new_text),
	    "");
	expect(&r, marker(&r, "[readcache: unchanged in lines 6-7 of 11]",
		       &new_text, &new_text),
	    "line 6 was never shown");
}

/* ---- diffs, applied ---- */

static void
test_apply(struct arena *arena)
{
	struct chance chance = chance_new(7);

	for (int i = 0; i < 3000; i++) {
		struct buf a = buf_new(arena, 64), b = buf_new(arena, 64);
		struct diff diff;
		struct span out;

		for (size_t n = chance_below(&chance, 30); n > 0; n--) {
			char line[] = {(char)('a' + chance_below(&chance, 4)),
			    chance_below(&chance, 9) > 0 ? '\n' : '-', '\0'};

			if (chance_below(&chance, 5) > 0)
				buf_str(&a, line);
			if (chance_below(&chance, 5) > 0)
				buf_str(&b, line);
		}
		assert_true(diff_make(arena, buf_span(&a), buf_span(&b),
		    &diff));
		CHECK(diff_apply(arena, diff.hunks, buf_span(&a), &out),
		    "%d does not apply", i);
		ASSERT_SPAN(out, buf_span(&b));
		CHECK(diff.hunks.n == 0 || diff_sound(diff.hunks),
		    "%d is not sound", i);
	}
}

static void
test_apply_refuses(struct arena *arena)
{
	static const struct span bad[] = {
		LIT("@@ -1,1 +1,1 @@\n-x\n+y\n"),
		LIT("@@ -1,1 +1,1 @@\n-a\n"),
		LIT("@@ -1,1 +2,1 @@\n-a\n+y\n"),
		LIT("@@ -9,1 +9,1 @@\n-a\n+y\n"),
		LIT("@@ -1,1 +1,2 @@\n-a\n+y\n\\ No newline at end of file\n"
		    "+z\n"),
		LIT("hello\n"),
	};
	struct span out;

	for (size_t i = 0; i < COUNT_OF(bad); i++)
		CHECK(!diff_apply(arena, bad[i], v1, &out), "row %zu", i);
}

/* ---- work ---- */

/* The reader writes TEXT, and is told that the file is still so. */
static struct known_answer
written(struct reader *r, struct span text)
{
	struct own_change own = {
	    .kind = OWN_WRITE, .call_id = SPAN("call"), .content = text};
	struct known_answer answer = {
	    .meta = meta_of(r->arena, MODE_DIFF, text), .sealed = true};

	knowledge_own(r->knowledge, &own, r->arena);
	answer.said = (struct answer_said){.kind = SAID_WRITTEN,
	    .first = 1,
	    .last = lines_count(text),
	    .total = lines_count(text),
	    .text = SPAN("")};
	return answer;
}

/* Bytes are paid for where they are hashed, and lines where they are gone through. */
static void
test_work_is_paid(struct arena *arena)
{
	static char line[64000], lines[64000];
	struct span long_line = {line, sizeof(line)};
	struct span many_lines = {lines, sizeof(lines)};
	struct known_answer answer;
	struct reader r;

	memset(line, 'x', sizeof(line));
	memset(lines, '\n', sizeof(lines));
	r = reader_new(arena);
	answer = written(&r, long_line);
	r.work->left = 10000;
	assert_int_equal(
	    knowledge_check(r.knowledge, &answer, arena).kind, CLAIM_SOUND);
	r.work->left = 500;
	assert_int_not_equal(
	    knowledge_check(r.knowledge, &answer, arena).kind, CLAIM_SOUND);
	assert_int_equal(r.work->left, 0);

	r = reader_new(arena);
	r.work->left = 500;
	answer = written(&r, many_lines);
	assert_int_equal(r.work->left, 0);
	assert_int_equal(
	    knowledge_check(r.knowledge, &answer, arena).kind, CLAIM_UNTOLD);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_whole),
		TEST(test_parts_make_a_whole),
		TEST(test_lines),
		TEST(test_coverage),
		TEST(test_lie_is_no_version),
		TEST(test_cut_marker),
		TEST(test_too_long),
		TEST(test_false_notice),
		TEST(test_cut_text),
		TEST(test_unknown),
		TEST(test_far_lines),
		TEST(test_diff),
		TEST(test_diff_that_lies),
		TEST(test_diff_and_parts),
		TEST(test_diff_of_pages),
		TEST(test_diff_without_base),
		TEST(test_apply),
		TEST(test_apply_refuses),
		TEST(test_work_is_paid),
	};

	return RUN_TESTS(tests);
}
