#include "unit.h"

#include "base/scope.h"

static void
equality(struct arena *arena)
{
	(void)arena;
	assert_true(scope_eq(scope_full(), scope_full()));
	assert_true(scope_eq(scope_range(1, 5), scope_range(1, 5)));
	assert_false(scope_eq(scope_range(1, 5), scope_range(1, 6)));
	assert_false(scope_eq(scope_range(1, 5), scope_range(2, 5)));
	assert_false(scope_eq(scope_full(), scope_range(1, 5)));
	assert_false(scope_eq(scope_full(), scope_range(1, NUMBER_MAX)));
	/* A full scope has 0, 0; a range that says so is still none. */
	assert_false(scope_eq(scope_full(), scope_range(0, 0)));
}

static void
written_form(struct arena *arena)
{
	static const struct {
		struct scope scope;
		const char *text;
	} rows[] = {
		{{SCOPE_FULL, 0, 0}, "full"},
		{{SCOPE_RANGE, 1, 1}, "r:1:1"},
		{{SCOPE_RANGE, 12, 340}, "r:12:340"},
		{{SCOPE_RANGE, 1, 9007199254740991}, "r:1:9007199254740991"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct buf buf = buf_new(arena, 0);
		struct scope back;

		scope_write(&buf, rows[i].scope);
		ASSERT_TEXT(buf_span(&buf), rows[i].text);
		CHECK(scope_parse(buf_span(&buf), &back) &&
			scope_eq(back, rows[i].scope),
		    "%s does not come back", rows[i].text);
	}
}

static void
what_is_no_scope(struct arena *arena)
{
	static const struct span rows[] = {
		LIT(""),
		LIT("Full"),
		LIT("FULL"),
		LIT("full "),
		LIT(" full"),
		LIT("full\0"),
		LIT("r"),
		LIT("r:"),
		LIT("r::"),
		LIT("r:1"),
		LIT("r:1:"),
		LIT("r::1"),
		LIT("R:1:2"),
		LIT("r:1:2:"),
		LIT("r:1:2:3"),
		LIT("r:1:2 "),
		LIT("r: 1:2"),
		LIT("r:2:1"),
		LIT("r:0:0"),
		LIT("r:0:5"),
		LIT("r:01:5"),
		LIT("r:1:05"),
		LIT("r:+1:5"),
		LIT("r:-1:5"),
		LIT("r:1:-5"),
		LIT("r:1.0:5"),
		LIT("r:1e0:5"),
		LIT("r:0x1:5"),
		LIT("r:1:9007199254740992"),
		LIT("r:1:18446744073709551617"),
		LIT("r:1:2\0"),
		LIT("r:1-2"),
		LIT("r1:2"),
		LIT("1:2"),
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct scope scope;

		CHECK(!scope_parse(unit_exact(arena, rows[i]), &scope),
		    "\"%s\" was taken", rows[i].p);
	}
}

static void
numbers(struct arena *arena)
{
	static const struct {
		struct span text;
		bool good;
		uint64_t number;
	} rows[] = {
		{LIT("0"), true, 0},
		{LIT("1"), true, 1},
		{LIT("10"), true, 10},
		{LIT("999999999999999"), true, 999999999999999},
		{LIT("9007199254740991"), true, 9007199254740991},
		{LIT("9007199254740992"), false, 0},
		{LIT("9999999999999999"), false, 0},
		{LIT("10000000000000000"), false, 0},
		{LIT("18446744073709551616"), false, 0},
		{LIT("99999999999999999999999999"), false, 0},
		{LIT(""), false, 0},
		{LIT("00"), false, 0},
		{LIT("007"), false, 0},
		{LIT("-1"), false, 0},
		{LIT("+1"), false, 0},
		{LIT(" 1"), false, 0},
		{LIT("1 "), false, 0},
		{LIT("1\0"), false, 0},
		{LIT("1a"), false, 0},
		{LIT("/"), false, 0}, /* the bytes beside the digits */
		{LIT(":"), false, 0},
		{LIT("\xd9\xa1"), false, 0}, /* an Arabic one */
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		uint64_t number = 77;
		bool good = number_parse(unit_exact(arena, rows[i].text),
		    &number);

		CHECK(good == rows[i].good, "\"%s\"", rows[i].text.p);
		if (good)
			assert_int_equal(number, rows[i].number);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(equality),
		TEST(written_form),
		TEST(what_is_no_scope),
		TEST(numbers),
	};

	return RUN_TESTS(tests);
}
