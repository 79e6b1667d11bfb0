/*
 * What a reader can know of answers about its own changes (SPEC 9, P1 to P4,
 * and parts), as the audit judges them.
 */
#include "unit_reader.h"

#include "replay/own.h"

/* ---- what the reader does, and is told of it ---- */

static void
edit(struct reader *r, const char *from, const char *to)
{
	struct replacement *one = arena_array(r->arena, 1, sizeof(*one));
	struct own_change own = {
	    .kind = OWN_EDITS, .call_id = SPAN("call"), .list = one, .n = 1};

	*one = (struct replacement){span_str(from), span_str(to)};
	knowledge_own(r->knowledge, &own, r->arena);
}

static void
writes(struct reader *r, struct span text)
{
	struct own_change own = {
	    .kind = OWN_WRITE, .call_id = SPAN("call"), .content = text};

	knowledge_own(r->knowledge, &own, r->arena);
}

/* An answer about NOW, the file, that rests on BASE. */
static struct known_answer
told(struct reader *r, const char *text, struct span now, struct span base)
{
	struct meta *meta = meta_of(r->arena, MODE_UNCHANGED_RANGE, now);

	meta->read.has_base = true;
	meta->read.base = digest_of(base);
	meta->read.pieces = 1;
	return answer_of(r, span_str(text), 1, meta);
}

/* The same without metadata. */
static struct known_answer
bare(struct reader *r, const char *text)
{
	return answer_of(r, span_str(text), 1, NULL);
}

/* What the audit says of ANSWER, which nobody believes. */
static void
judge(struct reader *r, struct known_answer answer, const char *why)
{
	struct knowledge_fault fault =
	    knowledge_check(r->knowledge, &answer, r->arena);
	struct buf out = buf_new(r->arena, 64);

	knowledge_fault_write(&out, &fault);
	ASSERT_TEXT(buf_span(&out), why);
}

#define IN_PLACE "[readcache: your edits are in place: "
#define IN_LINES "; nothing else changed in lines "

static const struct span old = LIT("a\nb\nc\nd\ne\nf\ng\nh\ni\nj");
static const struct span other = LIT("a\nb\nC\nd\ne\nf\ng\nh\ni\nj");

/* ---- P4 of lines that the reader's edits have moved ---- */

/* The reader was shown all of it, put a line before d, and changed h. */
static struct reader
after_edits(struct arena *arena)
{
	struct reader r = reader_new(arena);

	show(&r, old, 1);
	edit(&r, "d\n", "new\nd\n");
	edit(&r, "h", "H");
	return r;
}

static const struct span edited = LIT("a\nb\nc\nnew\nd\ne\nf\ng\nH\ni\nj");

static void
test_moved_exactly(struct arena *arena)
{
	static const struct span lost =
	    LIT("a\nb\nc\nnew\nd\ne\nf\ng\nh\ni\nj");
	static const struct span more =
	    LIT("a\nb\nc\nnew\nd\nE\nf\ng\nH\ni\nj");
	struct reader r = after_edits(arena);

	judge(&r,
	    told(&r, IN_PLACE "line 9" IN_LINES "6-11 of 11]", edited, old),
	    "");
	judge(&r, bare(&r, IN_PLACE "line 9" IN_LINES "6-11 of 11]"), "");
	/* Its first and its last line may be those. */
	judge(&r,
	    told(&r, IN_PLACE "line 9" IN_LINES "9-11 of 11]", edited, old),
	    "");
	judge(&r,
	    told(&r, IN_PLACE "line 9" IN_LINES "6-9 of 11]", edited, old), "");
	judge(&r,
	    told(&r, IN_PLACE "lines 4-5, line 9" IN_LINES "2-9 of 11]", edited,
		old),
	    "");
	/* Other places. */
	judge(&r,
	    told(&r, IN_PLACE "line 8" IN_LINES "6-11 of 11]", edited, old),
	    "the model did not write line 8");
	judge(&r,
	    told(&r, IN_PLACE "line 10" IN_LINES "6-11 of 11]", edited, old),
	    "the model changed line 9, too");
	judge(&r,
	    told(&r, IN_PLACE "lines 9-10" IN_LINES "6-11 of 11]", edited, old),
	    "the model did not write line 10");
	judge(&r,
	    told(&r, IN_PLACE "lines 4-5" IN_LINES "2-9 of 11]", edited, old),
	    "the model changed line 9, too");
	judge(&r,
	    told(&r, IN_PLACE "line 9" IN_LINES "4-11 of 11]", edited, old),
	    "the model changed line 4, too");
	/* More lines than it wrote; the file is another one. */
	judge(&r,
	    told(&r, IN_PLACE "lines 6-10" IN_LINES "6-11 of 11]", edited, old),
	    "the model did not write that many lines");
	judge(&r, told(&r, IN_PLACE "line 9" IN_LINES "6-11 of 11]", lost, old),
	    "what the model wrote is another version of the file");
	judge(&r, told(&r, IN_PLACE "line 9" IN_LINES "6-11 of 11]", more, old),
	    "what the model wrote is another version of the file");
	judge(&r,
	    told(&r, IN_PLACE "line 9" IN_LINES "6-11 of 12]", edited, old),
	    "what the model wrote is another version of the file");
	/* It rests on a version that nobody has seen. */
	judge(&r,
	    told(&r, IN_PLACE "line 9" IN_LINES "6-11 of 11]", edited, other),
	    "no text of the version it speaks of was shown");
}

/* Lines that the reader removed are named by the line after them. */
static void
test_removed(struct arena *arena)
{
	static const struct span now = LIT("a\nb\ne\nf\ng\nh");
	struct reader r = reader_new(arena);

	show(&r, old, 1);
	edit(&r, "c\nd\n", "");
	edit(&r, "\ni\nj", "");
	judge(&r,
	    told(&r,
		IN_PLACE "removed before line 3, removed at the "
			 "end" IN_LINES "2-6 of 6]",
		now, old),
	    "");
	judge(&r,
	    told(&r, IN_PLACE "removed before line 3" IN_LINES "3-5 of 6]", now,
		old),
	    "");
	judge(&r,
	    told(&r, IN_PLACE "removed before line 4" IN_LINES "3-5 of 6]", now,
		old),
	    "the model changed line 3, too");
	judge(&r,
	    told(&r, IN_PLACE "removed before line 4" IN_LINES "2-5 of 6]", now,
		old),
	    "the model changed line 3, too");
	judge(&r,
	    told(&r,
		IN_PLACE "removed before line 3, removed before line "
			 "5" IN_LINES "2-5 of 6]",
		now, old),
	    "the model removed nothing before line 5");
}

static void
test_not_removed_at_the_end(struct arena *arena)
{
	struct reader r = after_edits(arena);

	judge(&r,
	    told(&r,
		IN_PLACE "line 9, removed at the end" IN_LINES "6-11 of 11]",
		edited, old),
	    "the model removed nothing before line 12");
}

/* Somebody else has changed line 1; the reader was shown lines 5 to 11 since.
 */
static void
test_shown_since(struct arena *arena)
{
	static const struct span now = LIT("A\nb\nc\nnew\nd\ne\nf\ng\nH\ni\nj");
	struct reader r = after_edits(arena);

	judge(&r, told(&r, IN_PLACE "line 9" IN_LINES "6-11 of 11]", now, old),
	    "what the model wrote is another version of the file");
	show_lines(&r, now, 5, 8);
	judge(&r, told(&r, IN_PLACE "line 9" IN_LINES "6-11 of 11]", now, old),
	    "what the model wrote is another version of the file");
	show_lines(&r, now, 10, 11);
	judge(&r, told(&r, IN_PLACE "line 9" IN_LINES "6-11 of 11]", now, old),
	    "");
	judge(&r, told(&r, IN_PLACE "line 9" IN_LINES "4-11 of 11]", now, old),
	    "what the model wrote is another version of the file");
}

/* ---- the same where the reader knows only a part of the file ---- */

/* It was shown lines 1 to 6, and put a line before d. */
static struct reader
after_part(struct arena *arena)
{
	struct reader r = reader_new(arena);

	show_lines(&r, old, 1, 6);
	edit(&r, "d\n", "new\nd\n");
	return r;
}

static const struct span longer = LIT("a\nb\nc\nnew\nd\ne\nf\ng\nh\ni\nj");

static void
test_moved_loosely(struct arena *arena)
{
	struct reader r = after_part(arena);
	struct reader none = reader_new(arena);

	judge(&r,
	    told(&r, IN_PLACE "lines 4-5" IN_LINES "2-7 of 11]", longer, old),
	    "");
	judge(&r, bare(&r, IN_PLACE "lines 4-5" IN_LINES "2-7 of 11]"), "");
	/* Six lines were shown, and no more. */
	judge(&r,
	    told(&r, IN_PLACE "lines 4-5" IN_LINES "1-8 of 11]", longer, old),
	    "");
	judge(&r,
	    told(&r, IN_PLACE "lines 4-5" IN_LINES "1-9 of 11]", longer, old),
	    "the file was last shown with 10 lines, not 11");
	judge(&r,
	    told(&r, IN_PLACE "lines 4-7" IN_LINES "2-7 of 11]", longer, old),
	    "the model did not write that many lines");
	judge(&r,
	    told(&r, IN_PLACE "lines 4-5" IN_LINES "2-7 of 11]", longer, other),
	    "no text of the version it speaks of was shown");
	/* Nobody has changed anything. */
	show_lines(&none, old, 1, 6);
	judge(&none,
	    told(&none, IN_PLACE "removed before line 4" IN_LINES "2-6 of 10]",
		old, old),
	    "the model did not write that many lines");
}

/* By such an answer it knows its lines under the numbers of now. */
static void
test_moved_lines_are_known(struct arena *arena)
{
	static const struct span lie = LIT("a\nb\nc\nnew\ne\nd\nf\ng\nh\ni\nj");
	struct reader r = after_part(arena);
	struct known_answer answer =
	    told(&r, IN_PLACE "lines 4-5" IN_LINES "2-7 of 11]", longer, old);

	knowledge_take(r.knowledge, &answer, arena);
	show_lines(&r, longer, 8, 11);
	show_lines(&r, longer, 4, 5);
	judge(&r,
	    told(&r,
		"[readcache: unchanged in lines 5-7 of 11; shown before as "
		"lines 4-6]",
		longer, old),
	    "line 5 was last shown with another text");
	expect(&r,
	    marker(&r, "[readcache: unchanged, 11 lines]", &longer, &old), "");
	judge(&r, marker(&r, "[readcache: unchanged, 11 lines]", &lie, &old),
	    "what was shown is another version of the file");
}

/* ---- parts that the reader wrote ---- */

#define PARTS(n) " in " #n " parts; + is text, you have the rest]\n"

static void
test_own_parts(struct arena *arena)
{
	static const struct span now = LIT("a\nb\nc\nnew\nd\ne\nf\nG\nH\ni\nj");
	struct reader r = reader_new(arena);

	show(&r, old, 1);
	edit(&r, "d\n", "new\nd\n");
	edit(&r, "g\nh\n", "G\nH\n");
	judge(&r,
	    told(&r,
		"[readcache: lines 6-11 of 11" PARTS(
		    3) "@@ -5,2 +6,2 @@ unchanged\n"
		       "@@ +8,2 @@ as you wrote them\n"
		       "@@ -9,2 +10,2 @@ unchanged",
		now, old),
	    "");
	judge(&r,
	    told(&r,
		"[readcache: lines 6-11 of 11" PARTS(
		    3) "@@ -5,1 +6,1 @@ unchanged\n"
		       "@@ +7,2 @@ as you wrote them\n"
		       "@@ -8,3 +9,3 @@ unchanged",
		now, old),
	    "the model did not write line 7");
	judge(&r,
	    told(&r,
		"[readcache: lines 6-11 of 11" PARTS(
		    3) "@@ -5,2 +6,2 @@ unchanged\n"
		       "@@ +8,3 @@ as you wrote them\n"
		       "@@ -10,1 +11,1 @@ unchanged",
		now, old),
	    "the model did not write line 10");
	judge(&r,
	    told(&r,
		"[readcache: lines 2-11 of 11" PARTS(
		    2) "@@ +2,8 @@ as you wrote them\n"
		       "@@ -9,2 +10,2 @@ unchanged",
		now, old),
	    "the model did not write that many lines");
}

/* Somebody has put a line above what the reader wrote. */
static void
test_own_parts_that_moved(struct arena *arena)
{
	static const struct span now = LIT("new\na\nb\nc\nd\ne\nf\ng\nh\ni\nj");
	struct reader r = reader_new(arena);

	writes(&r, old);
	judge(&r,
	    told(&r,
		"[readcache: lines 1-11 of 11" PARTS(
		    2) "@@ +1,2 @@ text\n+new\n+a\n"
		       "@@ +3,9 @@ as you wrote them",
		now, now),
	    "");
	judge(&r,
	    told(&r,
		"[readcache: lines 1-12 of 12" PARTS(
		    2) "@@ +1,1 @@ text\n+new\n"
		       "@@ +2,11 @@ as you wrote them",
		now, now),
	    "the model did not write that many lines");
}

/* ---- what such an answer tells ---- */

/* By the lines of the answer it knows its own under the numbers of now. */
static void
test_learnt_exactly(struct arena *arena)
{
	static const char parts[] = "[readcache: lines 6-10 of 11" PARTS(
	    2) "@@ -6,4 +6,4 @@ unchanged\n"
	       "@@ +10,1 @@ text\n+i";
	struct reader r = after_edits(arena);

	judge(&r, told(&r, parts, edited, old),
	    "line 6 was last shown with another text");
	expect(&r,
	    told(&r, IN_PLACE "line 9" IN_LINES "6-11 of 11]", edited, old),
	    "");
	judge(&r, told(&r, parts, edited, old), "");
	/* This version is one that it has seen lines of. */
	judge(&r, told(&r, parts, edited, edited), "");
}

static void
test_learnt_loosely(struct arena *arena)
{
	struct reader r = after_part(arena);

	judge(&r, bare(&r, "[readcache: unchanged in lines 1-8 of 11]"),
	    "lines 7-8 were never shown");
	expect(&r,
	    told(&r, IN_PLACE "lines 4-5" IN_LINES "1-8 of 11]", longer, old),
	    "");
	judge(&r, bare(&r, "[readcache: unchanged in lines 1-8 of 11]"), "");
	judge(&r, bare(&r, "[readcache: unchanged in lines 1-9 of 11]"),
	    "line 9 was never shown");
}

/* An answer that cannot be right has shown its text all the same. */
static void
test_text_of_a_lie(struct arena *arena)
{
	struct reader r = reader_new(arena);

	expect(&r,
	    told(&r,
		"[readcache: lines 1-11 of 11" PARTS(
		    2) "@@ +1,2 @@ text\n+new\n+a\n"
		       "@@ +3,9 @@ as you wrote them",
		longer, longer),
	    "the model did not write that many lines");
	judge(&r, bare(&r, "[readcache: unchanged in lines 1-2 of 11]"), "");
	judge(&r, bare(&r, "[readcache: unchanged in lines 1-3 of 11]"),
	    "line 3 was never shown");
}

/* Parts of the whole file, which then is known: edits of it are followed. */
static void
test_whole_of_parts(struct arena *arena)
{
	static const struct span now = LIT("a\nb\nc\nX\nd\ne\nf\ng\nh\ni\nj");
	static const struct span then = LIT("a\nb\nc\nX\nd\ne\nf\ng\nh\ni\nJ");
	static const struct span lie = LIT("a\nb\nc\nX\nd\nE\nf\ng\nh\ni\nJ");
	struct reader r = reader_new(arena);

	writes(&r, old);
	expect(&r,
	    told(&r,
		"[readcache: lines 1-11 of 11" PARTS(
		    3) "@@ +1,3 @@ as you wrote them\n"
		       "@@ +4,2 @@ text\n+X\n+d\n"
		       "@@ +6,6 @@ as you wrote them",
		now, now),
	    "");
	edit(&r, "j", "J");
	judge(&r,
	    told(&r, IN_PLACE "line 11; nothing else changed; 11 lines]", then,
		now),
	    "");
	judge(&r,
	    told(&r, IN_PLACE "line 11; nothing else changed; 11 lines]", lie,
		now),
	    "what the model wrote is another version of the file");
}

static void
test_parts_of_another_version(struct arena *arena)
{
	static const struct span now = LIT("X\na\nb\nc\nd\ne\nf\ng\nh\ni\nj");
	static const char rest[] = "@@ -1,10 +2,10 @@ unchanged";
	struct reader r = reader_new(arena);
	struct buf out = buf_new(arena, 256);

	show(&r, old, 1);
	buf_str(&out,
	    "[readcache: lines 1-11 of 11" PARTS(2) "@@ +1,1 @@ text\n+X\n");
	buf_str(&out, rest);
	judge(&r, told(&r, arena_cstr(arena, buf_span(&out)), now, old), "");
	judge(&r, told(&r, arena_cstr(arena, buf_span(&out)), longer, old),
	    "its parts give another version than it says");
	judge(&r, told(&r, arena_cstr(arena, buf_span(&out)), now, now),
	    "no text of the version it speaks of was shown");
	r = reader_new(arena);
	show_lines(&r, old, 1, 6);
	judge(&r, told(&r, arena_cstr(arena, buf_span(&out)), now, old),
	    "lines 7-10 were never shown");
}

/* One fault is enough, wherever it is. */
static void
test_one_wrong_part(struct arena *arena)
{
	struct reader r = reader_new(arena);

	show_lines(&r, old, 1, 6);
	judge(&r,
	    told(&r,
		"[readcache: lines 1-4 of 11" PARTS(
		    2) "@@ -7,2 +1,2 @@ unchanged\n"
		       "@@ -1,2 +3,2 @@ unchanged",
		longer, old),
	    "lines 7-8 were never shown");
	/* Of this very version line 1 was shown, and it is another one. */
	judge(&r,
	    told(&r,
		"[readcache: lines 1-3 of 10" PARTS(
		    2) "@@ +1,1 @@ text\n+X\n"
		       "@@ -2,2 +2,2 @@ unchanged",
		old, old),
	    "line 1 was last shown with another text");
	r = after_edits(arena);
	judge(&r,
	    told(&r,
		"[readcache: lines 1-11 of 11" PARTS(
		    3) "@@ -1,3 +1,3 @@ unchanged\n"
		       "@@ +4,3 @@ as you wrote them\n"
		       "@@ +7,5 @@ text\n+f\n+g\n+H\n+i\n+j",
		edited, old),
	    "the model did not write line 6");
}

/* What it wrote stays its own when it is shown. */
static void
test_own_part_shown_since(struct arena *arena)
{
	struct reader r = after_edits(arena);

	show_lines(&r, edited, 9, 9);
	judge(&r,
	    told(&r,
		"[readcache: lines 8-10 of 11" PARTS(
		    3) "@@ +8,1 @@ text\n+g\n"
		       "@@ +9,1 @@ as you wrote it\n"
		       "@@ +10,1 @@ text\n+i",
		edited, old),
	    "");
}

/* The last line of what it wrote, and nothing else of that. */
static void
test_last_own_line(struct arena *arena)
{
	static const struct span now = LIT("X\nb\nc\nd\ne\nf\ng\nh\nI\nj");
	static const struct span then = LIT("X\nb\nc\nd\ne\nf\ng\nh\nI\nJ");
	static const struct span lie = LIT("X\nb\nc\nd\nE\nf\ng\nh\nI\nJ");
	struct reader r = reader_new(arena);

	writes(&r, old);
	expect(&r,
	    told(&r,
		"[readcache: lines 1-10 of 10" PARTS(
		    2) "@@ +1,9 @@ text\n+X\n+b\n+c\n+d\n+e\n+f\n+g\n+h\n+I\n"
		       "@@ +10,1 @@ as you wrote it",
		now, now),
	    "");
	edit(&r, "j", "J");
	judge(&r,
	    told(&r, IN_PLACE "line 10; nothing else changed; 10 lines]", then,
		now),
	    "");
	judge(&r,
	    told(&r, IN_PLACE "line 10; nothing else changed; 10 lines]", lie,
		now),
	    "what the model wrote is another version of the file");
}

/* It wrote ten lines, of which one is named, and was shown another one. */
static void
test_as_many_as_it_wrote(struct arena *arena)
{
	static const struct span now =
	    LIT("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12");
	struct reader r = reader_new(arena);

	writes(&r, old);
	show_lines(&r, now, 12, 12);
	judge(&r, told(&r, IN_PLACE "line 3" IN_LINES "1-11 of 12]", now, now),
	    "");
	judge(&r, told(&r, IN_PLACE "line 3" IN_LINES "1-12 of 12]", now, now),
	    "lines 1-11 were never shown");
}

/* ---- the whole file, as the reader wrote it ---- */

static void
test_written(struct arena *arena)
{
	static const char words[] =
	    "[readcache: unchanged since you wrote it, 10 lines]";
	struct reader r = reader_new(arena);

	show(&r, old, 1);
	judge(
	    &r, told(&r, words, old, old), "the model did not write the file");
	writes(&r, old);
	judge(&r, told(&r, words, other, old),
	    "what the model wrote is another version of the file");
	expect(&r, told(&r, words, old, old), "");
	edit(&r, "c", "C");
	judge(&r,
	    told(&r, IN_PLACE "line 3; nothing else changed; 10 lines]", other,
		old),
	    "");
	judge(&r,
	    told(&r, IN_PLACE "line 4; nothing else changed; 10 lines]", other,
		old),
	    "the model changed line 3, too");
}

/* ---- what was shown since ---- */

/* The reader was shown the whole file after its edits: they are its own still.
 */
static void
test_shown_whole_since(struct arena *arena)
{
	static const struct span now = LIT("a\nb\nE\nf\ng\nh\ni\nj");
	struct reader r = reader_new(arena);

	show(&r, old, 1);
	edit(&r, "c\nd\n", "");
	edit(&r, "e", "E");
	show(&r, now, 1);
	judge(
	    &r, told(&r, IN_PLACE "line 3" IN_LINES "2-8 of 8]", now, old), "");
	judge(&r,
	    told(&r,
		IN_PLACE "removed before line 3, line 3" IN_LINES "2-8 of 8]",
		now, old),
	    "");
	judge(&r,
	    told(&r, IN_PLACE "line 3, removed at the end" IN_LINES "2-8 of 8]",
		now, old),
	    "");
	judge(&r, told(&r, IN_PLACE "line 4" IN_LINES "2-8 of 8]", now, old),
	    "the model did not write line 4");
}

/* What it has taken back itself is as it was shown. */
static void
test_taken_back(struct arena *arena)
{
	struct reader r = reader_new(arena);

	show(&r, old, 1);
	edit(&r, "h", "H");
	edit(&r, "H", "h");
	edit(&r, "c", "C");
	judge(&r, told(&r, IN_PLACE "line 3" IN_LINES "2-9 of 10]", other, old),
	    "");
	judge(&r,
	    told(&r, IN_PLACE "line 3, line 8" IN_LINES "2-9 of 10]", other,
		old),
	    "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_moved_exactly),
	    TEST(test_removed),
	    TEST(test_not_removed_at_the_end),
	    TEST(test_shown_since),
	    TEST(test_moved_loosely),
	    TEST(test_moved_lines_are_known),
	    TEST(test_own_parts),
	    TEST(test_own_parts_that_moved),
	    TEST(test_learnt_exactly),
	    TEST(test_learnt_loosely),
	    TEST(test_text_of_a_lie),
	    TEST(test_whole_of_parts),
	    TEST(test_parts_of_another_version),
	    TEST(test_one_wrong_part),
	    TEST(test_own_part_shown_since),
	    TEST(test_last_own_line),
	    TEST(test_as_many_as_it_wrote),
	    TEST(test_written),
	    TEST(test_shown_whole_since),
	    TEST(test_taken_back),
	};

	return RUN_TESTS(tests);
}
