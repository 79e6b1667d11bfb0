#include "unit.h"

#include "work/record/clock.h"

static void
t14_durations(struct arena *arena)
{
	static const struct {
		const char *text;
		uint64_t ms; /* 0: none */
	} rows[] = {
	    {"1ms", 1}, {"30s", 30000}, {"30m", 1800000}, {"6h", 21600000},
	    {"7d", 604800000}, {"1.5h", 5400000}, {"0.1s", 100},
	    {"2H", 7200000}, {"10MS", 10}, {"90m", 5400000},
	    {"0.5ms", 0}, {"0", 0}, {"0s", 0}, {"-5m", 0}, {"soon", 0},
	    {"", 0}, {"5", 0}, {"m", 0}, {".5h", 0}, {"5.h", 0}, {"5 m", 0},
	    {"5m ", 0}, {"5w", 0}, {"1e3s", 0}, {"+5s", 0}, {"5mm", 0},
	    {"99999999999999999999d", 0}, {"9007199254740993ms", 0},
	    {"9007199254740991ms", UINT64_C(9007199254740991)},
	    {"9007199254740991d", 0},
	};

	(void)arena;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		uint64_t ms = 0;
		bool good = duration_parse(span_str(rows[i].text), &ms);

		CHECK(good == (rows[i].ms > 0) && (!good || ms == rows[i].ms),
		    "\"%s\": %d, %llu", rows[i].text, good,
		    (unsigned long long)ms);
	}
}

static void
ages_as_people_say_them(struct arena *arena)
{
	static const struct {
		uint64_t ms;
		const char *text;
	} rows[] = {{0, "0ms"}, {999, "999ms"}, {1000, "1s"}, {59999, "59s"},
	    {60000, "1m"}, {390000, "6m"}, {3600000, "1h"},
	    {86399999, "23h"}, {86400000, "1d"}, {UINT64_C(8640000000),
	    "100d"}};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct buf text = buf_new(arena, 16);

		duration_write(&text, rows[i].ms);
		ASSERT_TEXT(buf_span(&text), rows[i].text);
	}
}

#define T UINT64_C(1700000000000)

static void
t14_f7_boundaries(struct arena *arena)
{
	static const struct {
		const char *what;
		struct lifetime life;
		uint64_t max_age, now;
		enum freshness want;
	} rows[] = {
	    {"no bound, any age", {T, 0, 0}, 0, T * 2, FRESH},
	    {"reader: one before", {T, 0, 0}, 1000, T + 999, FRESH},
	    {"reader: equal is good", {T, 0, 0}, 1000, T + 1000, FRESH},
	    {"reader: one more", {T, 0, 0}, 1000, T + 1001, STALE_TOO_OLD},
	    {"writer: second before", {T, 0, T / 1000 + 5}, 0, T + 4999,
		FRESH},
	    {"writer: equal is expired", {T, 0, T / 1000 + 5}, 0, T + 5000,
		STALE_EXPIRED},
	    {"exact: one before", {T + 500, 1000, T / 1000 + 2}, 0, T + 1499,
		FRESH},
	    {"exact: equal, though the second is not over",
		{T + 500, 1000, T / 1000 + 2}, 0, T + 1500, STALE_EXPIRED},
	    {"both: the writer's is told first", {T, 1000, T / 1000 + 1}, 10,
		T + 2000, STALE_EXPIRED},
	    {"future, no bound", {T + 60000, 0, 0}, 0, T, FRESH},
	    {"T16 future, reader's bound", {T + 60000, 0, 0}, 1000, T,
		STALE_FUTURE},
	    {"T16 future, writer's bound", {T + 60000, 1000, 0}, 0, T,
		STALE_FUTURE},
	    {"T16 future, foreign file", {T + 60000, 0, T / 1000 + 90}, 0, T,
		STALE_FUTURE},
	    {"two seconds are forgiven", {T + 2000, 1000, 0}, 0, T, FRESH},
	    {"and no more", {T + 2001, 1000, 0}, 0, T, STALE_FUTURE},
	};

	(void)arena;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK(clock_judge(&rows[i].life, rows[i].max_age,
			  rows[i].now) == rows[i].want,
		    "%s", rows[i].what);
}

static void
f6_f7_expiry(struct arena *arena)
{
	(void)arena;
	assert_int_equal(clock_expiry(T, 0), 0);
	assert_int_equal(clock_expiry(T, 1000), T / 1000 + 1);
	/* Rounded up: one second lives at least one second. */
	assert_int_equal(clock_expiry(T + 1, 1000), T / 1000 + 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(t14_durations),
	    TEST(ages_as_people_say_them),
	    TEST(t14_f7_boundaries),
	    TEST(f6_f7_expiry),
	};

	return RUN_TESTS(tests);
}
