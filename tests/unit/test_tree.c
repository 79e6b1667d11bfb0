#include "unit.h"

#include "json/json.h"
#include "json/tree.h"

/* The tree of a text, which must be valid JSON. */
static struct tree *
parse(struct arena *arena, struct span text)
{
	CHECK(json_valid(arena, text), "not JSON: %.*s", (int)text.n, text.p);
	return tree_parse(arena, unit_exact(arena, text));
}

static void
members(struct arena *arena)
{
	struct tree *tree = parse(arena,
	    SPAN("{\"s\":\"text\",\"n\":7,\"o\":{\"s\":\"inner\"},\"\":1}"));
	struct span text;
	uint64_t number;

	assert_non_null(tree);
	assert_true(tree_string(tree_get(tree, "s"), &text));
	ASSERT_TEXT(text, "text");
	assert_true(tree_number(tree_get(tree, "n"), &number));
	assert_int_equal(number, 7);
	assert_true(tree_string(tree_get(tree_get(tree, "o"), "s"), &text));
	ASSERT_TEXT(text, "inner");
	assert_true(tree_number(tree_get(tree, ""), &number));
	assert_null(tree_get(tree, "x"));
	assert_null(tree_get(tree, "inner"));
}

static void
what_is_no_object(struct arena *arena)
{
	static const struct span values[] = {LIT("[{\"a\":1}]"),
		LIT("\"a\""), LIT("1"), LIT("true"), LIT("null"), LIT("[]")};

	assert_null(tree_get(NULL, "a"));
	for (size_t i = 0; i < COUNT_OF(values); i++)
		assert_null(tree_get(parse(arena, values[i]), "a"));
	assert_null(tree_parse(arena, span_of(NULL, 0)));
}

/* As in JavaScript. */
static void
last_key_counts(struct arena *arena)
{
	static const struct span objects[] = {
		LIT("{\"a\":1,\"a\":2}"),
		LIT("{\"a\":1,\"b\":3,\"a\":2}"),
		LIT("{\"a\":1,\"\\u0061\":2}"),
		LIT("{\"\\u0061\":1,\"a\":2}"),
		LIT("{\"a\":{\"a\":5},\"a\":2}"),
		LIT("{\"a\":\"2\",\"a\":null,\"a\":2}"),
	};

	for (size_t i = 0; i < COUNT_OF(objects); i++) {
		uint64_t number = 0;

		CHECK(tree_number(tree_get(parse(arena, objects[i]), "a"),
			  &number) && number == 2,
		    "%s", objects[i].p);
	}
}

static void
case_of_keys_matters(struct arena *arena)
{
	struct tree *tree = parse(arena,
	    SPAN("{\"key\":1,\"KEY\":2,\"Key\":3}"));
	uint64_t number;

	assert_true(tree_number(tree_get(tree, "key"), &number));
	assert_int_equal(number, 1);
	assert_true(tree_number(tree_get(tree, "KEY"), &number));
	assert_int_equal(number, 2);
	assert_null(tree_get(tree, "kEY"));
	assert_null(tree_get(parse(arena, SPAN("{\"V\":1}")), "v"));
}

/* The whole value is refused, wherever it is. */
static void
nul_is_refused(struct arena *arena)
{
	static const struct span values[] = {
		LIT("\"\\u0000\""),
		LIT("\"a\\u0000b\""),
		LIT("[1,\"\\u0000\"]"),
		LIT("{\"a\":\"x\\u0000\"}"),
		LIT("{\"a\\u0000\":1}"),
		LIT("{\"a\":1,\"b\":{\"c\":[\"\\u0000\"]}}"),
		LIT("{\"a\":\"\\\\\",\"b\":\"\\u0000\"}"),
		LIT("{\"a\":\"\\\"\",\"b\":\"\\u0000\"}"),
	};

	for (size_t i = 0; i < COUNT_OF(values); i++)
		CHECK(parse(arena, values[i]) == NULL, "%s", values[i].p);
}

static void
lone_surrogates_are_refused(struct arena *arena)
{
	static const struct span values[] = {
		LIT("\"\\ud800\""),
		LIT("\"\\udc00\""),
		LIT("\"\\ud800\\ud800\""),
		LIT("\"\\ud800x\""),
		LIT("{\"\\udfff\":1}"),
		LIT("[{\"a\":\"\\udbff\"}]"),
	};

	for (size_t i = 0; i < COUNT_OF(values); i++)
		CHECK(parse(arena, values[i]) == NULL, "%s", values[i].p);
}

static void
strings(struct arena *arena)
{
	static const struct {
		struct span value;
		const char *text;
	} rows[] = {
		{LIT("\"\""), ""},
		{LIT("\"abc\""), "abc"},
		{LIT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), "\"\\/\b\f\n\r\t"},
		{LIT("\"\\u0041\\u00e9\\u20ac\""), "A\xc3\xa9\xe2\x82\xac"},
		{LIT("\"\\ud83d\\ude00\""), "\xf0\x9f\x98\x80"},
		{LIT("\"\xc3\xa9\xf0\x9f\x98\x80\""),
		    "\xc3\xa9\xf0\x9f\x98\x80"},
		{LIT("\"\\ufffd\""), "\xef\xbf\xbd"},
		{LIT("\"\\u0001\""), "\x01"},
		/* a backslash, then letters: no NUL, no surrogate */
		{LIT("\"\\\\u0000\""), "\\u0000"},
		{LIT("\"\\\\ud800\""), "\\ud800"},
		{LIT("\"\x7f\""), "\x7f"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct span text;

		CHECK(tree_string(parse(arena, rows[i].value), &text), "%s",
		    rows[i].value.p);
		ASSERT_TEXT(text, rows[i].text);
	}
}

static void
what_is_no_string(struct arena *arena)
{
	static const struct span values[] = {LIT("1"), LIT("null"),
		LIT("true"), LIT("[\"a\"]"), LIT("{\"a\":\"a\"}")};
	struct span text;

	assert_false(tree_string(NULL, &text));
	for (size_t i = 0; i < COUNT_OF(values); i++)
		assert_false(tree_string(parse(arena, values[i]), &text));
}

static void
numbers(struct arena *arena)
{
	static const struct {
		struct span value;
		bool whole;
		uint64_t number;
	} rows[] = {
		{LIT("0"), true, 0},
		{LIT("-0"), true, 0},
		{LIT("-0.0"), true, 0},
		{LIT("1"), true, 1},
		{LIT("1.0"), true, 1},
		{LIT("1e3"), true, 1000},
		{LIT("1E+3"), true, 1000},
		{LIT("1500e-2"), true, 15},
		{LIT("0.1e1"), true, 1},
		{LIT("2147483647"), true, 2147483647},
		{LIT("2147483648"), true, 2147483648},
		{LIT("4294967296"), true, 4294967296},
		{LIT("1e15"), true, 1000000000000000},
		{LIT("9007199254740991"), true, 9007199254740991},
		{LIT("9007199254740992"), false, 0},
		{LIT("9007199254740993"), false, 0}, /* 2^53 + 1 */
		{LIT("9007199254740991.5"), false, 0},
		{LIT("18446744073709551616"), false, 0},
		{LIT("18446744073709551617"), false, 0},
		{LIT("123456789012345678901234567890"), false, 0},
		{LIT("1e16"), false, 0},
		{LIT("1e308"), false, 0},
		{LIT("1e400"), false, 0},
		{LIT("-1"), false, 0},
		{LIT("-1e400"), false, 0},
		{LIT("1.5"), false, 0},
		{LIT("0.1"), false, 0},
		{LIT("-0.5"), false, 0},
		{LIT("1e-3"), false, 0},
		{LIT("\"1\""), false, 0},
		{LIT("true"), false, 0},
		{LIT("null"), false, 0},
		{LIT("[1]"), false, 0},
		{LIT("{}"), false, 0},
	};
	uint64_t number;

	assert_false(tree_number(NULL, &number));
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		bool whole = tree_number(parse(arena, rows[i].value), &number);

		CHECK(whole == rows[i].whole, "%s", rows[i].value.p);
		if (whole)
			CHECK(number == rows[i].number, "%s: %llu",
			    rows[i].value.p, (unsigned long long)number);
	}
}

/*
 * However long it is written, a number must be understood or refused: half
 * of it is another number.
 */
static void
long_numbers(struct arena *arena)
{
	struct span zeros = unit_repeat(arena, SPAN("0"), 70);
	struct span small = unit_join(arena,
	    unit_join(arena, SPAN("0."), zeros), SPAN("5e71")); /* 5 */
	struct span one = unit_join(arena, SPAN("1."), zeros);  /* 1 */
	struct span large = unit_join(arena, SPAN("7"), zeros);
	struct span shifted = unit_join(arena, large, SPAN("e-70")); /* 7 */
	const struct {
		struct span value;
		bool whole;
		uint64_t number;
	} rows[] = {{small, true, 5}, {one, true, 1}, {large, false, 0},
	    {shifted, true, 7}};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct span object = unit_join(arena, unit_join(arena,
		    SPAN("{\"n\":"), rows[i].value), SPAN("}"));
		struct tree *tree = parse(arena, rows[i].value);
		uint64_t number;

		if (tree_number(tree, &number))
			CHECK(rows[i].whole && number == rows[i].number,
			    "row %zu: %llu", i, (unsigned long long)number);
		tree = tree_get(parse(arena, object), "n");
		if (tree_number(tree, &number))
			CHECK(rows[i].whole && number == rows[i].number,
			    "row %zu in an object: %llu", i,
			    (unsigned long long)number);
	}
}

static struct span
nested(struct arena *arena, size_t depth)
{
	return unit_join(arena, unit_repeat(arena, SPAN("["), depth),
	    unit_repeat(arena, SPAN("]"), depth));
}

static void
depth(struct arena *arena)
{
	struct span deep = unit_join(arena,
	    unit_join(arena, SPAN("{\"a\":1,\"x\":"), nested(arena, 5000)),
	    SPAN("}"));

	uint64_t number;

	assert_non_null(parse(arena, nested(arena, 200000)));
	/* A deep member does not stand in the way of the others. */
	assert_true(tree_number(tree_get(parse(arena, deep), "a"), &number));
	assert_int_equal(number, 1);
}

static void
large_strings(struct arena *arena)
{
	struct span letters = unit_repeat(arena, SPAN("x"), 1000000);
	struct span value = unit_join(arena,
	    unit_join(arena, SPAN("{\"a\":\""), letters), SPAN("\"}"));
	struct span text;

	assert_true(tree_string(tree_get(parse(arena, value), "a"), &text));
	ASSERT_SPAN(text, letters);
}

/* The tree is the arena's: nothing is left when that is reset. */
static void
lives_in_the_arena(struct arena *arena)
{
	for (int i = 0; i < 1000; i++) {
		assert_non_null(parse(arena,
		    SPAN("{\"a\":[1,\"two\",{\"b\":null}]}")));
		arena_reset(arena);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(members),
		TEST(what_is_no_object),
		TEST(last_key_counts),
		TEST(case_of_keys_matters),
		TEST(nul_is_refused),
		TEST(lone_surrogates_are_refused),
		TEST(strings),
		TEST(what_is_no_string),
		TEST(numbers),
		TEST(long_numbers),
		TEST(depth),
		TEST(large_strings),
		TEST(lives_in_the_arena),
	};

	return RUN_TESTS(tests);
}
