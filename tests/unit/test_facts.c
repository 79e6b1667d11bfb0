/* Inputs and outputs as facts: key, comparison, lock. */
#include "unit_json.h"
#include "work/stage/facts.h"
#include "work/stage/lockfile.h"

static struct facts
facts_of(struct arena *arena, const struct fact *list, size_t n)
{
	struct facts facts = {0};

	for (size_t i = 0; i < n; i++)
		facts_add(
		    arena, &facts, list[i].kind, list[i].name, list[i].value);
	facts_sort(&facts);
	return facts;
}

#define FACTS(arena, ...)                                                      \
	facts_of(arena, (const struct fact[]){__VA_ARGS__},                    \
	    sizeof((const struct fact[]){__VA_ARGS__}) / sizeof(struct fact))

#define FACT(kind, name, value)                                                \
	{                                                                      \
		kind, LIT(name), LIT(value)                                    \
	}

static bool
same_key(const struct facts *a, const struct facts *b)
{
	struct digest x = facts_key(a, SPAN("flow"), SPAN("name"));
	struct digest y = facts_key(b, SPAN("flow"), SPAN("name"));

	return digest_eq(&x, &y);
}

static void
the_key_is_of_inputs_in_any_order(struct arena *arena)
{
	struct facts a = FACTS(arena, FACT(FACT_DEP, "x", "1"),
	    FACT(FACT_PARAM, "p", "2"), FACT(FACT_DEP, "y", "3"));
	struct facts b =
	    FACTS(arena, FACT(FACT_DEP, "y", "3"), FACT(FACT_PARAM, "p", "2"),
		FACT(FACT_DEP, "x", "1"), FACT(FACT_OUTPUT, "o", "4"));

	assert_true(same_key(&a, &b));
}

static void
no_two_lists_share_a_key(struct arena *arena)
{
	struct facts lists[] = {
	    FACTS(arena, FACT(FACT_DEP, "x", "1")),
	    FACTS(arena, FACT(FACT_CODE, "x", "1")),
	    FACTS(arena, FACT(FACT_DEP, "x", "2")),
	    FACTS(arena, FACT(FACT_DEP, "x1", "")),
	    FACTS(arena, FACT(FACT_DEP, "", "x1")),
	    FACTS(arena, FACT(FACT_DEP, "x", "1"), FACT(FACT_DEP, "y", "1")),
	    FACTS(arena, FACT(FACT_DEP, "x", "1is1yy")),
	    FACTS(arena, FACT(FACT_OUT, "x", "kept")),
	    FACTS(arena, FACT(FACT_OUT, "x", "not kept")),
	    {0},
	};
	struct digest x, y;

	for (size_t i = 0; i < COUNT_OF(lists); i++)
		for (size_t k = 0; k < i; k++)
			CHECK(!same_key(&lists[i], &lists[k]),
			    "lists %zu and %zu", i, k);
	x = facts_key(&lists[0], SPAN("ab"), SPAN("c"));
	y = facts_key(&lists[0], SPAN("a"), SPAN("bc"));
	assert_false(digest_eq(&x, &y));
}

static struct span
reasons(struct arena *arena, const struct facts *old, const struct facts *now)
{
	struct verdict verdict = {.decision = DECISION_WORK};
	struct buf text = buf_new(arena, 256);

	if (!facts_compare(arena, old, now, &verdict))
		return SPAN("same");
	verdict_reasons_text(&text, &verdict);
	return buf_span(&text);
}

static void
differences_are_told_old_and_new(struct arena *arena)
{
	struct facts old = FACTS(arena, FACT(FACT_PARAM, "lr", "0.01"),
	    FACT(FACT_PARAM, "gone", "1"), FACT(FACT_ENV, "TOKEN", "x"),
	    FACT(FACT_DEP, "same", "1"), FACT(FACT_OUTPUT, "o", "1"),
	    FACT(FACT_COMMAND, "argv", "1"), FACT(FACT_COMMAND, "cwd", "1"));
	struct facts now = FACTS(arena, FACT(FACT_PARAM, "lr", "0.005"),
	    FACT(FACT_PARAM, "new", "2"), FACT(FACT_ENV, "TOKEN", "y"),
	    FACT(FACT_DEP, "same", "1"), FACT(FACT_OUTPUT, "o", "2"),
	    FACT(FACT_COMMAND, "argv", "2"), FACT(FACT_COMMAND, "cwd", "2"));

	ASSERT_TEXT(reasons(arena, &old, &now),
	    "the command changed, env TOKEN changed, param gone: 1 -> none, "
	    "param lr: 0.01 -> 0.005, param new: none -> 2");
	ASSERT_TEXT(reasons(arena, &old, &old), "same");
}

static void
only_files_differ_for_who_asks_for_files(struct arena *arena)
{
	struct facts old = FACTS(arena, FACT(FACT_DEP, "a", "1"),
	    FACT(FACT_ENV, "E", "1"), FACT(FACT_CODE, "c", "1"));
	struct facts env =
	    FACTS(arena, FACT(FACT_DEP, "a", "1"), FACT(FACT_CODE, "c", "1"));
	struct facts code =
	    FACTS(arena, FACT(FACT_DEP, "a", "1"), FACT(FACT_CODE, "c", "2"));
	struct span which;

	assert_true(facts_differ(&old, &env, &which));
	assert_true(facts_differ(&old, &code, &which));
	ASSERT_TEXT(which, "c");
}

static struct lockfile
some_lock(struct arena *arena)
{
	return (struct lockfile){
	    .facts = FACTS(arena, FACT(FACT_DEP, "b \"quoted\"", "1"),
		FACT(FACT_DEP, "a", "2"),
		FACT(FACT_PARAM, "deep", "{\"x\":[1,2]}"),
		FACT(FACT_OUTPUT, "o", "3"), FACT(FACT_OUT, "o", "kept")),
	    .record = digest_of(SPAN("record")),
	};
}

static void
a_lock_comes_back_as_it_was(struct arena *arena)
{
	struct lockfile lock = some_lock(arena), back;
	struct span text = lockfile_write(arena, &lock);

	unit_is_json(text);
	assert_true(lockfile_parse(arena, text, &back));
	assert_true(same_key(&lock.facts, &back.facts));
	assert_true(digest_eq(&lock.record, &back.record));
	ASSERT_TEXT(*facts_find(&back.facts, FACT_OUTPUT, SPAN("o")), "3");
	ASSERT_SPAN(lockfile_write(arena, &back), text);
}

static void
half_a_lock_is_none(struct arena *arena)
{
	struct lockfile lock = some_lock(arena), back;
	struct span text = lockfile_write(arena, &lock);

	/* All but the line end behind it. */
	for (size_t n = 0; n + 1 < text.n; n++)
		CHECK(!lockfile_parse(arena, span_of(text.p, n), &back),
		    "the first %zu bytes were taken", n);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(the_key_is_of_inputs_in_any_order),
	    TEST(no_two_lists_share_a_key),
	    TEST(differences_are_told_old_and_new),
	    TEST(only_files_differ_for_who_asks_for_files),
	    TEST(a_lock_comes_back_as_it_was),
	    TEST(half_a_lock_is_none),
	};

	return RUN_TESTS(tests);
}
