/*
 * Lines that are followed back: what the reader is told, and when it is not.
 */
#include "unit_talk.h"

#include "answer/pieces.h"
#include "base/lines.h"

/* ---- what the reader does ---- */

/* Lines FROM to TO, each with its number in it. */
static struct span
numbered(struct arena *arena, int from, int to)
{
	struct buf text = buf_new(arena, 1024);

	for (int i = from; i <= to; i++) {
		buf_str(&text, "this is the line with the number ");
		buf_u64(&text, (uint64_t)i);
		buf_char(&text, '\n');
	}
	return buf_span(&text);
}

static struct span
join3(struct arena *arena, struct span a, struct span b, struct span c)
{
	return unit_join(arena, a, unit_join(arena, b, c));
}

static void
do_change(struct talk *talk, struct own_change change)
{
	struct own_change *own = arena_alloc(talk->arena, sizeof(*own));

	*own = change;
	(void)trust_apply(talk->trust, &(struct event){.kind = EVENT_EDITED,
					   .path = talk->question.path,
					   .name = talk->question.name,
					   .own = own});
}

static void
do_edit(struct talk *talk, const char *id, struct span from, struct span to)
{
	struct replacement *one = arena_alloc(talk->arena, sizeof(*one));

	*one = (struct replacement){from, to};
	do_change(talk, (struct own_change){.kind = OWN_EDITS,
			    .call_id = span_str(id),
			    .list = one,
			    .n = 1});
}

static void
do_write(struct talk *talk, const char *id, struct span content)
{
	do_change(talk, (struct own_change){.kind = OWN_WRITE,
			    .call_id = span_str(id),
			    .content = content});
}

static void
check_own(const struct reply *answer, const char *words)
{
	enum mode mode = answer->read.scope.kind == SCOPE_FULL
			     ? MODE_DIFF
			     : MODE_UNCHANGED_RANGE;

	talk_check(answer, mode, "own_text");
	ASSERT_TEXT(answer->text, words);
	assert_true(answer->read.pieces > 0);
}

static void
check_pieces(const struct reply *answer, const char *words)
{
	enum mode mode = answer->read.scope.kind == SCOPE_FULL
			     ? MODE_DIFF
			     : MODE_UNCHANGED_RANGE;

	talk_check(answer, mode, "pieces");
	ASSERT_TEXT(answer->text, words);
}

static void
check_calls(const struct reply *answer, const char *first, const char *second)
{
	size_t n = second != NULL ? 2 : first != NULL;

	assert_int_equal(answer->read.ncalls, n);
	if (first != NULL)
		ASSERT_TEXT(answer->read.calls[0], first);
	if (second != NULL)
		ASSERT_TEXT(answer->read.calls[1], second);
}

static bool
is_text(const struct reply *answer)
{
	return answer->verdict.mode == MODE_FULL ||
	       answer->verdict.mode == MODE_FALLBACK;
}

/* ---- the reader's own edits ---- */

/* A file of 100 lines that was shown; then line 50 became two lines. */
static struct talk
after_an_edit(struct arena *arena, struct span *edited)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct span line = numbered(arena, 50, 50);
	struct span two = SPAN("fifty\nand a half\n");

	(void)talk_ask(&talk, numbered(arena, 1, 100), 1, 0);
	do_edit(&talk, "e1", line, two);
	*edited =
	    join3(arena, numbered(arena, 1, 49), two, numbered(arena, 51, 100));
	return talk;
}

static void
an_edit_is_in_place(struct arena *arena)
{
	struct span file;
	struct talk talk = after_an_edit(arena, &file);
	struct reply answer = talk_ask(&talk, file, 1, 0);

	check_own(&answer, "[readcache: your edits are in place: lines 50-51; "
			   "nothing else changed; 102 lines]");
	check_calls(&answer, "e1", NULL);
	assert_int_equal(answer.read.rests->n, 1);
	/* From here on it is known under its new numbers. */
	answer = talk_ask(&talk, file, 60, 20);
	talk_check(&answer, MODE_UNCHANGED_RANGE, "covered");
}

static void
ranges_after_an_edit(struct arena *arena)
{
	struct span file;
	struct talk talk = after_an_edit(arena, &file);
	struct reply answer = talk_ask(&talk, file, 10, 20);

	check_own(&answer, "[readcache: unchanged in lines 10-29; changes "
			   "exist outside this range]");
	talk = after_an_edit(arena, &file);
	answer = talk_ask(&talk, file, 45, 7);
	check_own(&answer, "[readcache: your edits are in place: lines 50-51; "
			   "nothing else changed in lines 45-51 of 102]");
	talk = after_an_edit(arena, &file);
	answer = talk_ask(&talk, file, 60, 20);
	check_pieces(&answer, "[readcache: unchanged in lines 60-79 of 102; "
			      "shown before as lines 59-78]");
	talk = after_an_edit(arena, &file);
	answer = talk_ask(&talk, file, 41, 20);
	/* It knows by itself that its edit has moved lines 52 to 60. */
	check_own(&answer, "[readcache: your edits are in place: lines 50-51; "
			   "nothing else changed in lines 41-60 of 102]");
}

/* A line of which an edit has changed a part is known if the rest of it is. */
static void
a_part_of_a_line(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct span file = join3(arena, numbered(arena, 1, 49),
	    SPAN("this was the line with the number 50\n"),
	    numbered(arena, 51, 100));
	struct reply answer;

	(void)talk_ask(&talk, numbered(arena, 1, 100), 40, 20);
	do_edit(&talk, "e1", SPAN("is the line with the number 50\n"),
	    SPAN("was the line with the number 50\n"));
	answer = talk_ask(&talk, file, 40, 20);
	check_own(&answer, "[readcache: your edits are in place: line 50; "
			   "nothing else changed in lines 40-59 of 101]");
	check_calls(&answer, "e1", NULL);
	/* "this " at its beginning is known from the line only. */
	talk = talk_begin(arena, POLICY_PIECES);
	(void)talk_ask(&talk, numbered(arena, 1, 100), 1, 30);
	do_edit(&talk, "e1", SPAN("is the line with the number 50\n"),
	    SPAN("was the line with the number 50\n"));
	answer = talk_ask(&talk, file, 50, 1);
	assert_true(is_text(&answer));
}

/*
 * Two edits of lines that were never shown: which of them stands where?  And
 * the same after somebody has moved the lines, which was told of others only.
 */
static void
places_that_were_never_shown(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct span top = SPAN("new\nand new\n"), x, y, file;
	struct reply answer;

	x = SPAN("what was in line 30 is something else, and quite long\n");
	y = SPAN("what was in line 32 is something else, and quite long\n");
	(void)talk_ask(&talk, numbered(arena, 1, 100), 1, 20);
	do_edit(&talk, "e1", numbered(arena, 30, 30), x);
	do_edit(&talk, "e2", numbered(arena, 32, 32), y);
	file = join3(arena, numbered(arena, 1, 29), x,
	    join3(arena, numbered(arena, 31, 31), y, numbered(arena, 33, 100)));
	answer = talk_ask(&talk, file, 32, 1);
	assert_true(is_text(&answer));

	talk = talk_begin(arena, POLICY_PIECES);
	(void)talk_ask(&talk, numbered(arena, 1, 100), 1, 0);
	(void)talk_ask(
	    &talk, unit_join(arena, top, numbered(arena, 1, 100)), 90, 10);
	do_edit(&talk, "e1", numbered(arena, 30, 30), x);
	do_edit(&talk, "e2", numbered(arena, 32, 32), y);
	/* Line 32 is X now, and Y would be, had nobody put lines above it. */
	answer = talk_ask(&talk, unit_join(arena, top, file), 32, 1);
	assert_true(is_text(&answer));
}

static void
removed_lines(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct span file;
	struct reply answer;

	(void)talk_ask(&talk, numbered(arena, 1, 100), 1, 0);
	do_edit(&talk, "e1", numbered(arena, 30, 34), SPAN(""));
	file =
	    unit_join(arena, numbered(arena, 1, 29), numbered(arena, 35, 100));
	answer = talk_ask(&talk, file, 1, 0);
	check_own(&answer,
	    "[readcache: your edits are in place: removed before line 30; "
	    "nothing else changed; 96 lines]");
}

/* There are more places than are named: then it is not said that all stand. */
static void
more_places_than_are_named(struct arena *arena)
{
	for (int n = PLACES_MAX; n <= PLACES_MAX + 1; n++) {
		static const char *const ids[] = {
		    "1", "2", "3", "4", "5", "6", "7", "8", "9"};
		struct talk talk = talk_begin(arena, POLICY_PIECES);
		struct span file = SPAN("");
		struct reply answer;
		const char *in_place;

		(void)talk_ask(&talk, numbered(arena, 1, 100), 1, 0);
		for (int i = 0; i < n; i++) {
			do_edit(&talk, ids[i],
			    numbered(arena, 10 * i + 5, 10 * i + 5), SPAN(""));
			file = join3(arena, file,
			    numbered(arena, 10 * i + 1, 10 * i + 4),
			    numbered(arena, 10 * i + 6, 10 * i + 10));
		}
		file = unit_join(arena, file, numbered(arena, 10 * n + 1, 100));
		answer = talk_ask(&talk, file, 1, 0);
		in_place = memmem(
		    answer.text.p, answer.text.n, "edits are in place", 18);
		assert_true((in_place != NULL) == (n == PLACES_MAX));
	}
}

/* Every call that the file is made of, the oldest first. */
static void
several_calls(struct arena *arena)
{
	struct span file;
	struct talk talk = after_an_edit(arena, &file);
	struct reply answer;

	do_edit(&talk, "e2", SPAN("fifty\n"), SPAN("fifty and\n"));
	file = join3(arena, numbered(arena, 1, 49),
	    SPAN("fifty and\nand a half\n"), numbered(arena, 51, 100));
	answer = talk_ask(&talk, file, 1, 0);
	check_own(&answer, "[readcache: your edits are in place: lines 50-51; "
			   "nothing else changed; 102 lines]");
	check_calls(&answer, "e1", "e2");
}

/*
 * The lines of a file, each long enough that a hunk costs more than a part. The
 * letters of CHANGED stand in front of the first ones.
 */
static struct span
long_lines(struct arena *arena, const char *changed)
{
	struct buf all = buf_new(arena, 8192);

	for (int i = 1; i <= 60; i++) {
		if (*changed != '\0' && *changed++ != ' ')
			buf_char(&all, changed[-1]);
		buf_u64(&all, (uint64_t)i);
		buf_str(&all, " a line of which a hunk of a diff shows three "
			      "before it and three after it\n");
	}
	return buf_span(&all);
}

/* It was shown; then the reader changed nine of its lines. */
static struct talk
after_many_edits(struct arena *arena)
{
	const char *lines[] = {
	    "2 a", "4 a", "6 a", "8 a", "10 a", "12 a", "14 a", "16 a", "18 a"};
	struct talk talk = talk_begin(arena, POLICY_PIECES);

	(void)talk_ask(&talk, long_lines(arena, ""), 1, 0);
	for (size_t i = 0; i < COUNT_OF(lines); i++)
		do_edit(&talk, lines[i],
		    unit_join(arena, SPAN("\n"), span_str(lines[i])),
		    unit_join(arena, SPAN("\nx"), span_str(lines[i])));
	return talk;
}

/*
 * Where the diff is as long as the parts, it is the diff.  Each byte more in a
 * line of its context makes it longer by one.
 */
static void
a_diff_as_long_as_the_parts(struct arena *arena)
{
	size_t diff_bytes = 0;

	for (size_t more = 0; more < 2000; more++) {
		struct talk talk = talk_begin(arena, POLICY_PIECES);
		struct span tail = unit_join(arena,
		    unit_repeat(arena, SPAN("x"), more),
		    unit_repeat(arena, SPAN("\na line\n"), 100));
		struct span old = unit_join(arena, SPAN("1\n2\nthree "), tail);
		struct reply answer;

		(void)talk_ask(&talk, old, 1, 0);
		do_edit(&talk, "e1", SPAN("1\n2\n"), SPAN("12\n"));
		/* The change is shown, so that it need not be named. */
		(void)talk_ask(&talk,
		    unit_join(arena, SPAN("12\nthree "), tail), 1, 1);
		answer = talk_ask(
		    &talk, unit_join(arena, SPAN("12\nthree "), tail), 1, 0);
		if (answer.read.pieces > 0) {
			assert_int_equal(answer.text.n, diff_bytes);
			return;
		}
		talk_check(&answer, MODE_DIFF, "changed");
		diff_bytes = answer.text.n;
		arena_reset(arena);
	}
	fail();
}

/*
 * After edits at many places: the parts, if they are shorter than a diff, but
 * not if others have changed the file, too.
 */
static void
a_diff_or_parts(struct arena *arena)
{
	struct talk talk = after_many_edits(arena);
	struct reply answer =
	    talk_ask(&talk, long_lines(arena, " x x x x x x x x x"), 1, 0);

	talk_check(&answer, MODE_DIFF, "pieces");
	talk = after_many_edits(arena);
	answer = talk_ask(&talk,
	    long_lines(arena, " x x x x x x x x x                      o"), 1,
	    0);
	talk_check(&answer, MODE_DIFF, "changed");
}

/*
 * What is not exactly what the edits make does not say that nothing else has
 * changed.
 */
static void
an_edit_that_somebody_touched(struct arena *arena)
{
	struct span file;
	struct talk talk = after_an_edit(arena, &file);
	struct reply answer;

	answer = talk_ask(&talk, unit_join(arena, file, SPAN("x\n")), 41, 20);
	check_pieces(&answer, "[readcache: lines 41-60 of 103 in 3 parts; + is "
			      "text, you have the rest]\n"
			      "@@ -41,9 +41,9 @@ unchanged\n"
			      "@@ +50,2 @@ text\n"
			      "+fifty\n"
			      "+and a half\n"
			      "@@ -51,9 +52,9 @@ unchanged");
	talk = after_an_edit(arena, &file);
	answer = talk_ask(&talk, unit_join(arena, file, SPAN("x\n")), 10, 20);
	check_pieces(&answer, "[readcache: unchanged in lines 10-29; changes "
			      "exist outside this range]");
	talk = after_an_edit(arena, &file);
	answer = talk_ask(&talk, numbered(arena, 1, 100), 41, 20);
	talk_check(&answer, MODE_FALLBACK, "own_edit");
	talk = after_an_edit(arena, &file);
	answer = talk_ask(&talk, unit_join(arena, file, SPAN("x\n")), 1, 0);
	talk_check(&answer, MODE_DIFF, "changed");
}

/* ---- what makes a call no evidence ---- */

static void
a_call_that_is_not_known(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct span line = numbered(arena, 50, 50), file;
	struct reply answer;

	(void)talk_ask(&talk, numbered(arena, 1, 100), 1, 0);
	(void)trust_apply(talk.trust, &(struct event){.kind = EVENT_EDITED,
					  .path = talk.question.path,
					  .name = talk.question.name});
	file = join3(arena, numbered(arena, 1, 49), SPAN("new\n"),
	    numbered(arena, 51, 100));
	answer = talk_ask(&talk, file, 41, 20);
	assert_true(is_text(&answer));
	/* Nor is one whose id another call has. */
	talk = talk_begin(arena, POLICY_PIECES);
	(void)talk_ask(&talk, numbered(arena, 1, 100), 1, 0);
	do_edit(&talk, "e1", line, SPAN("old\n"));
	do_edit(&talk, "e1", SPAN("old\n"), SPAN("new\n"));
	answer = talk_ask(&talk, file, 41, 20);
	assert_true(is_text(&answer));
}

static void
a_call_by_another_name(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct span name = talk.question.name, file;
	struct reply answer;

	(void)talk_ask(&talk, numbered(arena, 1, 100), 1, 0);
	talk.question.name = SPAN("/w/other");
	do_edit(&talk, "e1", numbered(arena, 50, 50), SPAN("new\n"));
	talk.question.name = name;
	file = join3(arena, numbered(arena, 1, 49), SPAN("new\n"),
	    numbered(arena, 51, 100));
	answer = talk_ask(&talk, file, 41, 20);
	assert_true(is_text(&answer));
}

/* A refresh of any line ends what is known by older calls and answers. */
static void
a_refresh_after_the_call(struct arena *arena)
{
	struct span file;
	struct talk talk = after_an_edit(arena, &file);
	struct reply answer;

	(void)trust_apply(talk.trust, &(struct event){.kind = EVENT_INVALIDATE,
					  .path = talk.question.path,
					  .scope = scope_range(90, 95)});
	answer = talk_ask(&talk, file, 41, 20);
	assert_true(is_text(&answer));
	/* The same of a file that was only written. */
	talk = talk_begin(arena, POLICY_PIECES);
	do_write(&talk, "w1", numbered(arena, 1, 30));
	(void)trust_apply(talk.trust, &(struct event){.kind = EVENT_INVALIDATE,
					  .path = talk.question.path,
					  .scope = scope_full()});
	answer = talk_ask(&talk, numbered(arena, 1, 30), 1, 0);
	assert_true(is_text(&answer));
}

static void
strict_knows_no_pieces(struct arena *arena)
{
	struct span file;
	struct talk talk = after_an_edit(arena, &file);
	struct reply answer;

	talk.question.policy = POLICY_STRICT;
	answer = talk_ask(&talk, file, 60, 20);
	assert_true(is_text(&answer));
}

/* ---- a file that the reader wrote ---- */

static void
a_written_file(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct span file = numbered(arena, 1, 30);
	struct reply answer;

	do_write(&talk, "w1", file);
	answer = talk_ask(&talk, file, 1, 0);
	check_own(
	    &answer, "[readcache: unchanged since you wrote it, 31 lines]");
	check_calls(&answer, "w1", NULL);
	assert_int_equal(answer.read.rests->n, 0);
	talk = talk_begin(arena, POLICY_PIECES);
	do_write(&talk, "w1", file);
	answer = talk_ask(&talk, file, 5, 10);
	check_own(&answer, "[readcache: lines 5-14 of 31 are as you wrote "
			   "them]");
}

/* "Unchanged since you wrote it" would sound as if the edit were missing. */
static void
written_and_edited(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct span file = join3(arena, numbered(arena, 1, 9), SPAN("ten\n"),
	    numbered(arena, 11, 30));
	struct reply answer;

	do_write(&talk, "w1", numbered(arena, 1, 30));
	do_edit(&talk, "e1", numbered(arena, 10, 10), SPAN("ten\n"));
	answer = talk_ask(&talk, file, 1, 0);
	check_own(&answer, "[readcache: your edits are in place: line 10; "
			   "nothing else changed; 31 lines]");
	check_calls(&answer, "w1", "e1");
}

/* All lines that are left are its own, but it is not as it was written. */
static void
written_and_cut_off(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct reply answer;

	do_write(&talk, "w1", numbered(arena, 1, 30));
	answer = talk_ask(&talk, numbered(arena, 1, 20), 1, 0);
	check_pieces(&answer, "[readcache: lines 1-21 of 21 in 2 parts; + is "
			      "text, you have the rest]\n"
			      "@@ +1,20 @@ as you wrote them\n"
			      "@@ +21,1 @@ text\n"
			      "+");
}

/* ---- lines that others have moved ---- */

static void
a_block_that_moved(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct span file =
	    unit_join(arena, SPAN("new\nand new\n"), numbered(arena, 1, 100));
	struct reply answer;

	(void)talk_ask(&talk, numbered(arena, 1, 100), 1, 50);
	answer = talk_ask(&talk, file, 11, 20);
	check_pieces(&answer, "[readcache: unchanged in lines 11-30 of 103; "
			      "shown before as lines 9-28]");
	check_calls(&answer, NULL, NULL);
	assert_int_equal(answer.read.rests->n, 1);
	/* What was not shown is sent, if that is worth it. */
	talk = talk_begin(arena, POLICY_PIECES);
	(void)talk_ask(&talk, numbered(arena, 1, 100), 1, 50);
	answer = talk_ask(&talk, file, 23, 31);
	check_pieces(&answer, "[readcache: lines 23-53 of 103 in 2 parts; + is "
			      "text, you have the rest]\n"
			      "@@ -21,30 +23,30 @@ unchanged\n"
			      "@@ +53,1 @@ text\n"
			      "+this is the line with the number 51");
}

/*
 * A number says which line is meant only as long as no newer answer showed
 * something else under it.
 */
static void
a_number_that_means_two_lines(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct span five = SPAN("a\nb\nc\nd\ne\n");
	struct span now = unit_join(arena, five, numbered(arena, 1, 100));
	struct span then = unit_join(arena, five, now);
	struct reply answer;

	(void)talk_ask(&talk, numbered(arena, 1, 100), 21, 20);
	(void)talk_ask(&talk, now, 21, 5); /* 16 to 20 */
	/* Now at 31 to 50; what was 21 to 25 was shown as 26 to 30, too. */
	answer = talk_ask(&talk, then, 36, 15);
	check_pieces(&answer, "[readcache: unchanged in lines 36-50 of 111; "
			      "shown before as lines 26-40]");
	answer = talk_ask(&talk, then, 31, 5);
	assert_true(is_text(&answer));
}

/* ---- forms at their borders ---- */

/* Of numbered lines 1 to LAST, every tenth one from 5 on is new, N of them. */
static struct reply
edit_places(
    struct arena *arena, int n, int last, uint64_t first, uint64_t limit)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct replacement *list = arena_array(arena, 20, sizeof(*list));
	struct buf file = buf_new(arena, 4096);
	int at = 1;

	(void)talk_ask(&talk, numbered(arena, 1, last), 1, 0);
	for (int i = 0; i < n; i++) {
		list[i] = (struct replacement){
		    numbered(arena, 5 + 10 * i, 5 + 10 * i), SPAN("new\n")};
		buf_add(&file, numbered(arena, at, 4 + 10 * i));
		buf_str(&file, "new\n");
		at = 6 + 10 * i;
	}
	buf_add(&file, numbered(arena, at, last));
	do_change(&talk, (struct own_change){.kind = OWN_EDITS,
			     .call_id = SPAN("e1"),
			     .list = list,
			     .n = (size_t)n});
	return talk_ask(&talk, buf_span(&file), first, limit);
}

static void
eight_places(struct arena *arena)
{
	struct reply answer = edit_places(arena, 8, 100, 1, 0);

	check_own(&answer,
	    "[readcache: your edits are in place: line 5, line 15, line 25, "
	    "line 35, line 45, line 55, line 65, line 75; nothing else "
	    "changed; 101 lines]");
	answer = edit_places(arena, 9, 100, 1, 0);
	assert_string_equal(answer.verdict.reason, "changed");
	answer = edit_places(arena, 9, 100, 10, 60);
	check_own(&answer,
	    "[readcache: your edits are in place: line 15, line 25, line 35, "
	    "line 45, line 55, line 65; nothing else changed in lines 10-69 "
	    "of 101]");
	/* The last one is a removal, or at the end. */
	answer = edit_places(arena, 9, 100, 1, 84);
	check_own(&answer,
	    "[readcache: your edits are in place: line 5, line 15, line 25, "
	    "line 35, line 45, line 55, line 65, line 75; nothing else "
	    "changed in lines 1-84 of 101]");
	answer = edit_places(arena, 9, 100, 1, 85);
	assert_true(is_text(&answer) || answer.read.pieces > 1);
}

/* What an edit of a file of 40 lines is said to be; LIMIT 0: of all. */
static struct reply
after_edit_of(struct arena *arena, struct span from, struct span to,
    struct span file, uint64_t first, uint64_t limit)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);

	(void)talk_ask(&talk, numbered(arena, 1, 40), 1, 0);
	do_edit(&talk, "e1", from, to);
	return talk_ask(&talk, file, first, limit);
}

static void
places_at_the_borders(struct arena *arena)
{
	struct span rest = numbered(arena, 4, 40), file, most;
	struct reply answer;

	answer =
	    after_edit_of(arena, numbered(arena, 1, 3), SPAN(""), rest, 1, 0);
	check_own(&answer,
	    "[readcache: your edits are in place: removed before line 1; "
	    "nothing else changed; 38 lines]");
	/* The last line is an empty one. */
	most = numbered(arena, 1, 38);
	answer =
	    after_edit_of(arena, numbered(arena, 39, 40), SPAN(""), most, 1, 0);
	check_own(&answer,
	    "[readcache: your edits are in place: removed before line 39; "
	    "nothing else changed; 39 lines]");
	/* It is not in the lines before it, and moves those after it. */
	file =
	    unit_join(arena, numbered(arena, 1, 20), numbered(arena, 24, 40));
	answer = after_edit_of(
	    arena, numbered(arena, 21, 23), SPAN(""), file, 10, 11);
	check_own(&answer, "[readcache: unchanged in lines 10-20; changes "
			   "exist outside this range]");
	answer = after_edit_of(
	    arena, numbered(arena, 21, 23), SPAN(""), file, 21, 10);
	check_own(&answer,
	    "[readcache: your edits are in place: removed before line 21; "
	    "nothing else changed in lines 21-30 of 38]");
	/* Two places side by side are one; a removal parts them. */
	file = join3(arena, numbered(arena, 1, 9), SPAN("x\ny\n"),
	    numbered(arena, 12, 40));
	answer = after_edit_of(
	    arena, numbered(arena, 10, 11), SPAN("x\ny\n"), file, 1, 0);
	check_own(&answer, "[readcache: your edits are in place: lines 10-11; "
			   "nothing else changed; 41 lines]");
	/* A range of which all is new, or all but a line. */
	answer = after_edit_of(
	    arena, numbered(arena, 10, 11), SPAN("x\ny\n"), file, 10, 2);
	assert_true(is_text(&answer)); /* it is shorter */
}

/* Lines that are all the reader's own are as it wrote them. */
static void
ranges_that_are_all_new(struct arena *arena)
{
	struct span two = SPAN("the first new line, which is not at all short, "
			       "but long enough\nthe second new line, which "
			       "is not at all short, but long enough\n");
	struct span file =
	    join3(arena, numbered(arena, 1, 9), two, numbered(arena, 12, 40));
	struct reply answer;

	answer =
	    after_edit_of(arena, numbered(arena, 10, 11), two, file, 10, 2);
	check_own(
	    &answer, "[readcache: lines 10-11 of 41 are as you wrote them]");
	answer =
	    after_edit_of(arena, numbered(arena, 10, 11), two, file, 10, 3);
	check_own(&answer, "[readcache: your edits are in place: lines 10-11; "
			   "nothing else changed in lines 10-12 of 41]");
	answer = after_edit_of(arena, numbered(arena, 10, 11), two, file, 9, 3);
	check_own(&answer, "[readcache: your edits are in place: lines 10-11; "
			   "nothing else changed in lines 9-11 of 41]");
	answer =
	    after_edit_of(arena, numbered(arena, 10, 11), two, file, 10, 1);
	check_own(
	    &answer, "[readcache: lines 10-10 of 41 are as you wrote them]");
	answer =
	    after_edit_of(arena, numbered(arena, 10, 11), two, file, 12, 20);
	check_own(&answer, "[readcache: unchanged in lines 12-31; changes "
			   "exist outside this range]");
}

/* Removed at the very end, and asked for with or without it. */
static void
removed_at_the_end(struct arena *arena)
{
	struct span old = numbered(arena, 1, 40), file = numbered(arena, 1, 38);
	struct span gone = numbered(arena, 39, 40);
	struct talk talk;
	struct reply answer;

	old.n--; /* no line end there */
	file.n--;
	gone = unit_join(arena, SPAN("\n"), gone);
	gone.n--;
	for (int from = 1; from <= 10; from += 9) {
		talk = talk_begin(arena, POLICY_PIECES);
		(void)talk_ask(&talk, old, 1, 0);
		do_edit(&talk, "e1", gone, SPAN(""));
		answer = talk_ask(&talk, file, (uint64_t)from, 0);
		check_own(&answer,
		    from == 1 ? "[readcache: your edits are in place: removed "
				"at the end; nothing else changed; 38 lines]"
			      : "[readcache: your edits are in place: removed "
				"at the end; nothing else changed in lines "
				"10-38 of 38]");
	}
	talk = talk_begin(arena, POLICY_PIECES);
	(void)talk_ask(&talk, old, 1, 0);
	do_edit(&talk, "e1", gone, SPAN(""));
	answer = talk_ask(&talk, file, 10, 28);
	check_own(&answer, "[readcache: unchanged in lines 10-37; changes "
			   "exist outside this range]");
}

/* The removal stands before the edit of the next line. */
static void
a_removal_and_an_edit(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct replacement list[] = {
	    {numbered(arena, 12, 13), SPAN("")},
	    {SPAN("the number 11\n"), SPAN("the number eleven\n")},
	    {SPAN("the number 14\n"), SPAN("the number fourteen\n")},
	};
	struct span file = join3(arena, numbered(arena, 1, 10),
	    SPAN("this is the line with the number eleven\n"
		 "this is the line with the number fourteen\n"),
	    numbered(arena, 15, 40));
	struct reply answer;

	(void)talk_ask(&talk, numbered(arena, 1, 40), 1, 0);
	do_change(&talk, (struct own_change){.kind = OWN_EDITS,
			     .call_id = SPAN("e1"),
			     .list = list,
			     .n = COUNT_OF(list)});
	answer = talk_ask(&talk, file, 1, 0);
	check_own(&answer,
	    "[readcache: your edits are in place: line 11, removed before "
	    "line 12, line 12; nothing else changed; 39 lines]");
}

/* Nothing but what others did: no edit of the reader's own is in place. */
static void
an_edit_and_others(struct arena *arena)
{
	struct span file;
	struct talk talk = after_an_edit(arena, &file);
	struct reply answer;

	(void)talk_ask(&talk, file, 90, 2);
	file = join3(arena, numbered(arena, 1, 49), SPAN("fifty\nand a half\n"),
	    unit_join(arena, numbered(arena, 51, 98), SPAN("X\nY\n")));
	answer = talk_ask(&talk, file, 30, 40);
	check_pieces(&answer, "[readcache: lines 30-69 of 102 in 3 parts; + is "
			      "text, you have the rest]\n"
			      "@@ -30,20 +30,20 @@ unchanged\n"
			      "@@ +50,2 @@ text\n"
			      "+fifty\n"
			      "+and a half\n"
			      "@@ -51,18 +52,18 @@ unchanged");
	/* A range of own lines is as it was written, whoever did the rest. */
	talk = talk_begin(arena, POLICY_PIECES);
	do_write(&talk, "w1", numbered(arena, 1, 40));
	answer = talk_ask(&talk,
	    unit_join(arena, numbered(arena, 1, 39), SPAN("X\n")), 3, 20);
	check_pieces(
	    &answer, "[readcache: lines 3-22 of 41 are as you wrote them]");
}

/* ---- parts ---- */

/* A file of 60 lines of which the ranges of SEEN were shown, all of it asked.
 */
static struct reply
ask_for_parts(struct arena *arena, const uint64_t (*seen)[2], size_t n)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct span file = numbered(arena, 1, 60);

	for (size_t i = 0; i < n; i++)
		(void)talk_ask(
		    &talk, file, seen[i][0], seen[i][1] - seen[i][0] + 1);
	return talk_ask(&talk, file, 1, 60);
}

static void
at_most_four_parts(struct arena *arena)
{
	static const uint64_t four[][2] = {{2, 30}, {32, 60}};
	static const uint64_t five[][2] = {{1, 25}, {27, 30}, {32, 60}};
	static const uint64_t six[][2] = {{2, 25}, {27, 30}, {32, 60}};
	static const uint64_t one[][2] = {{1, 40}, {42, 60}};
	struct reply answer = ask_for_parts(arena, four, 2);

	check_pieces(&answer, "[readcache: lines 1-60 of 61 in 4 parts; + is "
			      "text, you have the rest]\n"
			      "@@ +1,1 @@ text\n"
			      "+this is the line with the number 1\n"
			      "@@ -2,29 +2,29 @@ unchanged\n"
			      "@@ +31,1 @@ text\n"
			      "+this is the line with the number 31\n"
			      "@@ -32,29 +32,29 @@ unchanged");
	/* The smallest one is sent. */
	answer = ask_for_parts(arena, five, 3);
	check_pieces(&answer, "[readcache: lines 1-60 of 61 in 3 parts; + is "
			      "text, you have the rest]\n"
			      "@@ -1,25 +1,25 @@ unchanged\n"
			      "@@ +26,6 @@ text\n"
			      "+this is the line with the number 26\n"
			      "+this is the line with the number 27\n"
			      "+this is the line with the number 28\n"
			      "+this is the line with the number 29\n"
			      "+this is the line with the number 30\n"
			      "+this is the line with the number 31\n"
			      "@@ -32,29 +32,29 @@ unchanged");
	answer = ask_for_parts(arena, six, 3);
	assert_int_equal(answer.read.pieces, 4);
	answer = ask_for_parts(arena, one, 2);
	assert_int_equal(answer.read.pieces, 3);
}

/* A part that is no longer than the line which would stand for it is sent. */
static void
parts_that_are_too_short(struct arena *arena)
{
	for (size_t n = 60; n <= 70; n++) {
		struct talk talk = talk_begin(arena, POLICY_PIECES);
		struct span many = numbered(arena, 1, 30);
		struct span tail = unit_join(
		    arena, unit_repeat(arena, SPAN("x"), n), SPAN("\n"));
		struct span file = join3(
		    arena, many, SPAN("new\n"), unit_join(arena, tail, many));
		struct reply answer;

		(void)talk_ask(&talk, file, 1, 30);
		(void)talk_ask(&talk, file, 32, 1);
		answer = talk_ask(&talk, file, 1, 32);
		assert_int_equal(answer.read.pieces, n > 64 ? 3 : 2);
	}
}

/* Of many lines of text, how much must be known that it is worth it? */
static void
half_of_the_text(struct arena *arena)
{
	size_t again = strlen("; read again for the text");
	bool met = false, small = false, large = false;

	for (size_t n = 400; n <= 900; n++) {
		struct talk talk = talk_begin(arena, POLICY_PIECES);
		struct span many = numbered(arena, 1, 30);
		struct span file = join3(arena, many,
		    unit_repeat(arena, SPAN("x"), n), SPAN("\nend\n"));
		struct excerpt shown = unit_shown(arena, file, 1, 31);
		size_t half = excerpt_bytes(&shown) / 2;
		struct reply answer;

		(void)talk_ask(&talk, file, 1, 30);
		answer = talk_ask(&talk, file, 1, 31);
		if (answer.read.pieces > 0) {
			small = true;
			assert_true(answer.text.n + again <= half);
			met = met || answer.text.n + again == half;
		} else {
			assert_true(is_text(&answer));
			large = true;
		}
		/* Once it is too much it stays so. */
		assert_false(answer.read.pieces > 0 && large);
	}
	assert_true(met && small && large);
}

/* The other forms need only be shorter than the text. */
static void
as_short_as_the_text(struct arena *arena)
{
	const char *words = "[readcache: lines 1-2 of 3 are as you wrote "
			    "them; read again for the text]";

	for (size_t n = 1; n < 200; n++) {
		struct talk talk = talk_begin(arena, POLICY_PIECES);
		struct span file = join3(arena,
		    unit_repeat(arena, SPAN("x"), n), SPAN("\ny"), SPAN("\n"));
		struct reply answer, plain;

		plain = talk_ask(&talk, file, 1, 2);
		talk = talk_begin(arena, POLICY_PIECES);
		do_write(&talk, "w1", file);
		answer = talk_ask(&talk, file, 1, 2);
		CHECK(
		    (answer.read.pieces > 0) == (strlen(words) < plain.text.n),
		    "%zu bytes", n);
	}
}

/* Before the last of the same answers it says how to see the text. */
static void
the_way_out(struct arena *arena)
{
	struct span file = numbered(arena, 1, 30);
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct reply answer;

	talk.question.repeat = 2;
	do_write(&talk, "w1", file);
	answer = talk_ask(&talk, file, 1, 0);
	check_own(&answer, "[readcache: unchanged since you wrote it, 31 "
			   "lines; read again for the text]");
	answer = talk_ask(&talk, file, 1, 0);
	assert_true(is_text(&answer));
	/* Of parts it stands in the first line. */
	talk = talk_begin(arena, POLICY_PIECES);
	talk.question.repeat = 2;
	(void)talk_ask(&talk, file, 1, 20);
	answer = talk_ask(&talk, file, 1, 21);
	check_pieces(&answer, "[readcache: lines 1-21 of 31 in 2 parts; + is "
			      "text, you have the rest; read again for "
			      "the text]\n"
			      "@@ -1,20 +1,20 @@ unchanged\n"
			      "@@ +21,1 @@ text\n"
			      "+this is the line with the number 21");
}

/* The words of the host about the rest stand after it, in every form. */
static void
cut_by_the_host(struct arena *arena)
{
	struct span file = numbered(arena, 1, 3000);
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct excerpt shown = unit_shown(arena, file, 1, 0);
	struct reply answer;
	struct buf words;

	assert_true(shown.cut && shown.after.n > 0);
	do_write(&talk, "w1", file);
	answer = talk_ask(&talk, file, 1, 0);
	words = buf_new(arena, 256);
	buf_str(&words, "[readcache: lines 1-");
	buf_u64(&words, shown.last);
	buf_str(&words, " of 3001 are as you wrote them]");
	buf_add(&words, shown.after);
	ASSERT_SPAN(answer.text, buf_span(&words));
	talk = talk_begin(arena, POLICY_PIECES);
	(void)talk_ask(&talk, file, 1, shown.last - 1);
	answer = talk_ask(&talk, file, 1, 0);
	assert_int_equal(answer.read.pieces, 2);
	assert_true(answer.text.n > shown.after.n);
	ASSERT_SPAN(
	    span_from(answer.text, answer.text.n - shown.after.n), shown.after);
}

/* One line that was shown, or written, is not called lines. */
static void
parts_of_one_line(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct span wide = unit_repeat(arena, SPAN("wide "), 100);
	struct span old = join3(arena, wide, SPAN("\n"), SPAN("old\n"));
	struct span file = unit_join(arena, SPAN("new\n\n"), old);
	struct reply answer;

	(void)talk_ask(&talk, old, 1, 1);
	answer = talk_ask(&talk, file, 1, 3);
	check_pieces(&answer, "[readcache: lines 1-3 of 5 in 2 parts; + is "
			      "text, you have the rest]\n"
			      "@@ +1,2 @@ text\n"
			      "+new\n"
			      "+\n"
			      "@@ -1,1 +3,1 @@ unchanged");
	talk = talk_begin(arena, POLICY_PIECES);
	do_write(&talk, "w1", unit_join(arena, SPAN("a\nb\nc\n"), old));
	file = unit_join(arena, SPAN("new\n\nc\n"), old);
	answer = talk_ask(&talk, file, 1, 4);
	check_pieces(&answer, "[readcache: lines 1-4 of 6 in 2 parts; + is "
			      "text, you have the rest]\n"
			      "@@ +1,3 @@ text\n"
			      "+new\n"
			      "+\n"
			      "+c\n"
			      "@@ +4,1 @@ as you wrote it");
	/* There must be a line of its own before it. */
	talk = talk_begin(arena, POLICY_PIECES);
	do_write(&talk, "w1", unit_join(arena, SPAN("a\nb\nc\n"), old));
	file = unit_join(arena, SPAN("new\n\nd\n"), old);
	answer = talk_ask(&talk, file, 1, 4);
	assert_int_equal(answer.verdict.mode, MODE_FULL);
}

/* ---- replay ---- */

/* A pieced answer proves its lines only with all that it rests on. */
static void
what_it_rests_on_must_be_there(struct arena *arena)
{
	struct span file;
	struct talk talk = after_an_edit(arena, &file);
	struct reply edited = talk_ask(&talk, file, 1, 0), answer;
	struct event event = edited.read;

	event.sealed = true;
	talk = talk_begin(arena, POLICY_PIECES);
	(void)talk_ask(&talk, numbered(arena, 1, 100), 1, 0);
	assert_int_equal(trust_apply(talk.trust, &event), TRUST_IGNORED);
	talk.versions[talk.n++] = file;
	answer = talk_ask(&talk, file, 60, 20);
	assert_true(
	    answer.verdict.mode == MODE_FALLBACK || answer.read.pieces > 0);
	/* Only the call, and not the text. */
	talk = talk_begin(arena, POLICY_PIECES);
	do_edit(
	    &talk, "e1", numbered(arena, 50, 50), SPAN("fifty\nand a half\n"));
	assert_int_equal(trust_apply(talk.trust, &event), TRUST_IGNORED);
	answer = talk_ask(&talk, file, 60, 20);
	assert_true(is_text(&answer));
}

/* Of lines between many others, small ones are sent with them. */
static void
small_parts_between_others(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct span file = numbered(arena, 1, 19);
	struct span other = SPAN("this is another line, which is as long as that\n");
	struct reply answer;

	(void)talk_ask(&talk, numbered(arena, 1, 100), 1, 0);
	for (int i = 20; i < 30; i += 2)
		file = join3(arena, file, other, numbered(arena, i + 1, i + 1));
	file = unit_join(arena, file, numbered(arena, 30, 100));
	answer = talk_ask(&talk, file, 5, 60);
	talk_check(&answer, MODE_UNCHANGED_RANGE, "pieces");
	assert_true(span_starts(answer.text,
	    SPAN("[readcache: lines 5-64 of 101 in 3 parts;")));
}

/* T10: an answer that would not give the lines is not given. */
static void
a_trace_that_is_wrong(struct arena *arena)
{
	struct span file = numbered(arena, 1, 20);
	struct excerpt shown = unit_shown(arena, file, 1, 5);
	struct question question = {.shown = &shown, .hash = digest_of(file)};
	struct library_version good = {
	    .there = true, .piece = {file, 1}, .hash = question.hash};
	struct library_version bad = {
	    .there = true, .piece = {numbered(arena, 2, 21), 1}};

	for (size_t wrong = 0; wrong <= 5; wrong++) {
		struct traced_line lines[5];
		struct scale scale = {.arena = arena,
		    .asked = &question,
		    .trust = trust_new(arena),
		    .now = {.there = true, .piece = {file, 1}}};
		struct trace trace = {
		    .lines = lines, .n = 5, .whole = true, .base = good.hash};

		for (size_t i = 0; i < 5; i++)
			lines[i] = (struct traced_line){.kind = TRACE_SHOWN,
			    .former = i + 1,
			    .from = i + 1 == wrong ? &bad : &good};
		assert_int_equal(pieces_plan(&scale, &trace).form,
		    wrong > 0 ? PIECES_NONE : PIECES_UNCHANGED);
	}
}

/*
 * Every line was shown, and yet the reader was not told of all that its edit did
 * to the others.  That it did nothing to them is short, however short they are.
 */
static void
an_edit_that_was_shown_in_part(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct span lines = unit_repeat(arena, SPAN("ab\n"), 100);
	struct span old = join3(arena, lines, SPAN("one\n"), lines);
	struct span now = join3(arena, lines, SPAN("two\n"), lines);
	struct reply answer;

	(void)talk_ask(&talk, old, 1, 0);
	do_edit(&talk, "e1", SPAN("one"), SPAN("two"));
	(void)talk_ask(&talk, now, 101, 1);
	answer = talk_ask(&talk, now, 1, 0);
	talk_check(&answer, MODE_DIFF, "pieces");
}

/* Lines FIRST to LAST of FILE were shown as text, whatever was known. */
static void
do_show(struct talk *talk, struct span file, uint64_t first, uint64_t last)
{
	struct event event = {
	    .kind = EVENT_READ,
	    .path = talk->question.path,
	    .name = talk->question.name,
	    .scope = scope_range(first, last),
	    .mode = MODE_FULL,
	    .served = digest_of(file),
	    .total = lines_count(file),
	};

	event_delivers(&event, (struct span){file.p, (size_t)(first + last)});
	(void)trust_apply(talk->trust, &event);
}

/*
 * After a diff to what was shown in parts of several versions, no answer but the
 * diff tells line 50.  Then the diff is the base, and a marker is shorter.
 */
static void
a_marker_after_a_diff(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct span top = unit_join(arena, numbered(arena, 1, 1), SPAN("two\n"));
	struct span middle = join3(arena, numbered(arena, 3, 49),
	    SPAN("fifty\n"), numbered(arena, 51, 89));
	struct span file = join3(arena, top, middle, numbered(arena, 90, 100));
	struct reply answer;

	(void)talk_ask(&talk, numbered(arena, 1, 100), 1, 0);
	(void)talk_ask(
	    &talk, unit_join(arena, top, numbered(arena, 3, 100)), 2, 2);
	answer = talk_ask(&talk, file, 1, 0);
	talk_check(&answer, MODE_DIFF, "changed");
	answer = talk_ask(&talk, file, 1, 0);
	talk_check(&answer, MODE_UNCHANGED, "same_file");
	/* Also of lines after a change elsewhere, of which all others were shown. */
	file = join3(arena, top, middle, numbered(arena, 91, 100));
	do_show(&talk, file, 41, 49);
	do_show(&talk, file, 51, 60);
	answer = talk_ask(&talk, file, 41, 20);
	talk_check(&answer, MODE_UNCHANGED_RANGE, "same_lines");
}

/* Where the file ends is known by the answer that told it last. */
static void
the_end_of_covered_lines(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct span file = numbered(arena, 1, 60);
	struct reply answer;

	(void)talk_ask(&talk, file, 31, 15);
	(void)talk_ask(&talk, file, 46, 16);
	(void)talk_ask(&talk, file, 1, 5);
	answer = talk_ask(&talk, file, 41, 21);
	talk_check(&answer, MODE_UNCHANGED_RANGE, "covered");
	assert_int_equal(answer.rests.n, 3);
}

/* Lines that were refreshed are sent, whatever the reader has written since. */
static void
written_after_a_refresh(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct span file = numbered(arena, 1, 40), other = numbered(arena, 2, 41);
	struct digest hash = digest_of(file);
	struct reply answer;

	(void)talk_ask(&talk, file, 1, 0);
	(void)trust_apply(talk.trust,
	    &(struct event){.kind = EVENT_INVALIDATE,
		.path = talk.question.path,
		.scope = scope_range(3, 4)});
	do_write(&talk, "w1", other);
	answer = talk_ask(&talk, other, 1, 0);
	talk_check(&answer, MODE_FULL, "refreshed");
	/* Nothing was looked for beyond that. */
	assert_true(digest_eq(&answer.read.base, &hash));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(more_places_than_are_named),
	    TEST(a_diff_as_long_as_the_parts),
	    TEST(small_parts_between_others),
	    TEST(a_trace_that_is_wrong),
	    TEST(the_end_of_covered_lines),
	    TEST(written_after_a_refresh),
	    TEST(an_edit_that_was_shown_in_part),
	    TEST(a_marker_after_a_diff),
	    TEST(an_edit_is_in_place),
	    TEST(ranges_after_an_edit),
	    TEST(a_part_of_a_line),
	    TEST(places_that_were_never_shown),
	    TEST(removed_lines),
	    TEST(several_calls),
	    TEST(a_diff_or_parts),
	    TEST(an_edit_that_somebody_touched),
	    TEST(a_call_that_is_not_known),
	    TEST(a_call_by_another_name),
	    TEST(a_refresh_after_the_call),
	    TEST(strict_knows_no_pieces),
	    TEST(a_written_file),
	    TEST(written_and_edited),
	    TEST(written_and_cut_off),
	    TEST(a_block_that_moved),
	    TEST(a_number_that_means_two_lines),
	    TEST(eight_places),
	    TEST(places_at_the_borders),
	    TEST(ranges_that_are_all_new),
	    TEST(removed_at_the_end),
	    TEST(a_removal_and_an_edit),
	    TEST(an_edit_and_others),
	    TEST(at_most_four_parts),
	    TEST(parts_that_are_too_short),
	    TEST(half_of_the_text),
	    TEST(as_short_as_the_text),
	    TEST(the_way_out),
	    TEST(cut_by_the_host),
	    TEST(parts_of_one_line),
	    TEST(what_it_rests_on_must_be_there),
	};

	return RUN_TESTS(tests);
}
