#include "unit_talk.h"

/* Ask with nothing of what was said before. */
static struct reply
ask_blank(struct talk *talk, struct span file, uint64_t offset, uint64_t limit)
{
	struct excerpt shown = unit_shown(talk->arena, file, offset, limit);
	struct question question = talk->question;

	question.hash = digest_of(file);
	question.shown = &shown;
	question.now = (struct piece){file, 1};
	return answer_make(talk->arena, &question, NULL, NULL);
}

/* The answer names the text that it delivers, by the half of its hash. */
static void
check_text_named(const struct reply *answer)
{
	struct digest hash = digest_of(answer->text);

	assert_true(answer->read.has_text_id);
	assert_memory_equal(
	    answer->read.text_id.bytes, hash.bytes, TEXT_ID_BYTES);
	assert_true(answer->read.has_text_bytes);
	assert_int_equal(answer->read.text_bytes, answer->text.n);
}

/* A compact answer rests on the text of OTHER, and on nothing else. */
static void
check_rests_on(const struct reply *answer, const struct reply *other)
{
	assert_int_equal(answer->rests.n, 1);
	assert_false(answer->rests.untold);
	assert_memory_equal(
	    &answer->rests.ids[0], &other->read.text_id, TEXT_ID_BYTES);
}

static struct span
many_lines(struct arena *arena, const char *first, size_t n)
{
	return unit_join(arena, span_str(first),
	    unit_repeat(arena, SPAN("and a line like all of the others\n"), n));
}

static void
text_then_marker_then_diff(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_STRICT);
	struct span x = many_lines(arena, "x\n", 20);
	struct span y = many_lines(arena, "y\n", 20);
	struct digest hash_x = digest_of(x), hash_y = digest_of(y);
	struct reply first = talk_ask(&talk, x, 1, 0), again, changed;

	talk_check(&first, MODE_FULL, "first_read");
	ASSERT_SPAN(first.text, x);
	check_text_named(&first);
	assert_int_equal(first.rests.n, 0);
	assert_false(first.read.has_base);
	assert_int_equal(first.read.scope.kind, SCOPE_FULL);
	assert_int_equal(first.read.total, 22);
	ASSERT_TEXT(first.read.path, "/w/a");
	ASSERT_TEXT(first.read.name, "/w/link");

	again = talk_ask(&talk, x, 1, 0);
	talk_check(&again, MODE_UNCHANGED, "same_file");
	ASSERT_TEXT(again.text, "[readcache: unchanged, 22 lines]");
	check_text_named(&again);
	check_rests_on(&again, &first);
	assert_int_equal(again.read.bytes, x.n);
	assert_true(again.read.has_base);
	assert_true(digest_eq(&again.read.base, &hash_x));

	changed = talk_ask(&talk, y, 1, 0);
	talk_check(&changed, MODE_DIFF, "changed");
	assert_true(span_starts(changed.text,
	    SPAN("[readcache: 1 lines changed of 22]\n"
		 "--- a/link\n+++ b/link\n@@ -1,4 +1,4 @@\n-x\n+y\n")));
	check_text_named(&changed);
	check_rests_on(&changed, &first);
	assert_int_equal(changed.read.bytes, y.n);
	assert_true(digest_eq(&changed.read.base, &hash_x));
	assert_true(digest_eq(&changed.read.served, &hash_y));
}

/* What only the asker knows: each has its reason, and the answer is text. */
static void
what_the_asker_knows(struct arena *arena)
{
	struct span file = many_lines(arena, "x\n", 20);
	struct talk talk = talk_begin(arena, POLICY_STRICT);
	struct reply answer;

	(void)talk_ask(&talk, file, 1, 0);
	talk.question.beside = BESIDE_UNKNOWN;
	answer = talk_ask(&talk, file, 1, 0);
	talk_check(&answer, MODE_FALLBACK, "sibling");
	ASSERT_SPAN(answer.text, file);
	check_text_named(&answer);
	assert_int_equal(answer.rests.n, 0);

	talk.question.bar = BAR_NESTED;
	answer = talk_ask(&talk, file, 1, 0);
	talk_check(&answer, MODE_PLAIN, "nested");
	ASSERT_SPAN(answer.text, file);
	assert_false(answer.read.has_text_id); /* it says nothing of itself */
	assert_int_equal(answer.read.bytes, file.n);
}

static bool
refuse_to_load(void *context, const struct digest *hash, struct piece *piece)
{
	(void)context;
	(void)hash;
	(void)piece;
	fail();
	return false;
}

/* Of a file that is left to the host not even old versions are opened. */
static void
what_is_barred_is_not_looked_up(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct library library = {refuse_to_load, NULL};
	struct span file = many_lines(arena, "x\n", 20);
	struct span now = many_lines(arena, "y\n", 20);
	struct excerpt shown = unit_shown(arena, now, 1, 0);
	struct reply answer;

	(void)talk_ask(&talk, file, 1, 0);
	talk.question.bar = BAR_EXCLUDED;
	talk.question.hash = digest_of(now);
	talk.question.shown = &shown;
	talk.question.now = (struct piece){now, 1};
	answer = answer_make(arena, &talk.question, talk.trust, &library);
	talk_check(&answer, MODE_PLAIN, "excluded");
}

static void
without_trust(struct arena *arena)
{
	static const struct {
		enum base_fact why;
		const char *reason;
	} rows[] = {{BASE_NO_SESSION, "no_session"},
	    {BASE_NO_BRANCH, "no_branch"}, {BASE_BYPASSED, "bypass"}};
	struct span file = many_lines(arena, "x\n", 20);

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct talk talk = talk_begin(arena, POLICY_COVERAGE);
		struct reply answer;

		talk.question.no_trust = rows[i].why;
		answer = ask_blank(&talk, file, 3, 4);
		talk_check(&answer, MODE_FULL, rows[i].reason);
		assert_true(scope_eq(answer.read.scope, scope_range(3, 6)));
		assert_false(answer.read.has_base);
		check_text_named(&answer);
	}
}

/* The host's words after the lines are a part of the text, and of its size. */
static void
words_of_the_host(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_STRICT);
	struct span file = unit_repeat(arena, SPAN("a line\n"), 3001);
	struct reply page = talk_ask(&talk, file, 1, 0), again, part;

	talk_check(&page, MODE_FULL, "first_read");
	assert_true(scope_eq(page.read.scope, scope_range(1, 2000)));
	assert_int_equal(page.read.bytes, page.text.n);
	assert_non_null(memmem(page.text.p, page.text.n,
	    "\n\n[Showing lines 1-2000 of 3002. ", 32));
	again = talk_ask(&talk, file, 1, 0);
	talk_check(&again, MODE_UNCHANGED_RANGE, "same_file");
	ASSERT_TEXT(again.text,
	    "[readcache: unchanged in lines 1-2000 of 3002]\n\n"
	    "[Showing lines 1-2000 of 3002. Use offset=2001 to continue.]");
	assert_int_equal(again.read.bytes, page.text.n);
	/* Of a limit that was asked for the marker need not speak. */
	(void)talk_ask(&talk, file, 3, 9);
	part = talk_ask(&talk, file, 3, 9);
	ASSERT_TEXT(part.text, "[readcache: unchanged in lines 3-11 of 3002]");
}

/*
 * A page of a file that was known in pages could be a diff of the whole.  If a
 * call beside it forbids that, the page is sent, and says that it is a page.
 */
static void
a_page_is_not_the_file(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_COVERAGE);
	struct span lines = unit_repeat(arena, SPAN("a line\n"), 2600);
	struct span changed = unit_join(arena, SPAN("x\n"), lines);
	struct reply answer;

	(void)talk_ask(&talk, lines, 1, 0);
	(void)talk_ask(&talk, lines, 2001, 0);
	talk.question.beside = BESIDE_UNKNOWN;
	answer = talk_ask(&talk, changed, 1, 0);
	talk_check(&answer, MODE_FALLBACK, "sibling");
	assert_true(scope_eq(answer.read.scope, scope_range(1, 2000)));
}

/* An answer that must be the text anyhow is the page, and says why as a page. */
static void
a_page_after_a_refused_edit(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_COVERAGE);
	struct span lines = unit_repeat(arena, SPAN("a line\n"), 2600);
	struct span changed = unit_join(arena, SPAN("x\n"), lines);
	struct digest hash = digest_of(lines);
	struct reply answer;

	(void)talk_ask(&talk, lines, 1, 0);
	(void)talk_ask(&talk, lines, 2001, 0);
	(void)trust_apply(talk.trust,
	    &(struct event){.kind = EVENT_EDIT_FAILED,
		.path = talk.question.path,
		.name = talk.question.name});
	answer = talk_ask(&talk, changed, 1, 0);
	talk_check(&answer, MODE_FALLBACK, "lines_changed");
	assert_true(digest_eq(&answer.read.base, &hash));
	assert_true(scope_eq(answer.read.scope, scope_range(1, 2000)));
}

/* The diff of the whole file, though all lines of the page were shown. */
static void
a_page_that_moved(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_PIECES);
	struct span lines = unit_repeat(arena, SPAN("a line\n"), 2600);
	struct reply answer;

	(void)talk_ask(&talk, unit_join(arena, SPAN("x\n"), lines), 1, 0);
	(void)talk_ask(&talk, unit_join(arena, SPAN("x\n"), lines), 2001, 0);
	answer = talk_ask(&talk, lines, 1, 0);
	talk_check(&answer, MODE_DIFF, "changed");
	assert_int_equal(answer.read.scope.kind, SCOPE_FULL);
}

/*
 * Of a recorded read only the page is at hand.  A diff from the whole file to
 * that would say that the rest is gone.
 */
static void
a_page_is_not_compared_with_the_file(struct arena *arena)
{
	struct talk talk = talk_begin(arena, POLICY_COVERAGE);
	struct span lines = unit_repeat(arena, SPAN("a line\n"), 2600);
	struct span changed = unit_join(arena, SPAN("x\n"), lines);
	struct library library = {talk_find_version, &talk};
	struct question question = talk.question;
	struct excerpt shown = unit_shown(arena, changed, 1, 0);
	struct reply answer;

	(void)talk_ask(&talk, lines, 1, 0);
	(void)talk_ask(&talk, lines, 2001, 0);
	question.hash = digest_of(changed);
	question.shown = &shown;
	question.now = (struct piece){changed, 1};
	answer = answer_make(arena, &question, talk.trust, &library);
	talk_check(&answer, MODE_DIFF, "changed");
	question.now.text = shown.lines;
	answer = answer_make(arena, &question, talk.trust, &library);
	assert_int_not_equal(answer.verdict.mode, MODE_DIFF);
	assert_true(scope_eq(answer.read.scope, scope_range(1, 2000)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(text_then_marker_then_diff),
	    TEST(what_the_asker_knows),
	    TEST(what_is_barred_is_not_looked_up),
	    TEST(without_trust),
	    TEST(words_of_the_host),
	    TEST(a_page_is_not_the_file),
	    TEST(a_page_after_a_refused_edit),
	    TEST(a_page_that_moved),
	    TEST(a_page_is_not_compared_with_the_file),
	};

	return RUN_TESTS(tests);
}
