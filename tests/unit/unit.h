/*
 * unit.h -- what the test programs here share.
 *
 * A test is a function of an arena.  The arena's guard is armed around it,
 * so that exhaustion fails the test and not the program, and the arena is
 * freed behind it, so that leaks and late use are seen by the sanitizers.
 */
#ifndef READCACHE_TESTS_UNIT_H
#define READCACHE_TESTS_UNIT_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define UNIT_ARENA ((size_t)1024 * 1024 * 1024)

struct unit {
	void (*body)(struct arena *arena);
	struct arena *arena;
};

/* An element of the array of struct CMUnitTest. */
#define TEST(body) \
	{#body, unit_run, unit_begin, unit_end, &(struct unit){body, NULL}}

/* The whole of main. */
#define RUN_TESTS(tests) cmocka_run_group_tests(tests, NULL, NULL)

/* Fail with a formatted reason: loops over tables must say which row. */
#define CHECK(condition, ...) \
	do { \
		if (!(condition)) \
			unit_fail(__FILE__, __LINE__, __VA_ARGS__); \
	} while (0)

__attribute__((format(printf, 3, 4), unused)) static void
unit_fail(const char *file, int line, const char *format, ...)
{
	char reason[2048];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(reason, sizeof(reason), format, arguments);
	va_end(arguments);
	print_error("%s\n", reason);
	_fail(file, line);
}

/*
 * Leave the test, which cannot be made here.  The reason is told, and noted
 * where tests/closing counts skips (tests/lib/skips.mjs).
 */
#define SKIP(reason) \
	do { \
		unit_note_skip(__func__, reason); \
		skip(); \
	} while (0)

__attribute__((unused)) static void
unit_note_skip(const char *test, const char *reason)
{
	const char *path = getenv("READCACHE_SKIPS");
	FILE *notes = path != NULL ? fopen(path, "a") : NULL;

	print_message("skip  unit.%s: %s: %s\n",
	    program_invocation_short_name, test, reason);
	if (notes == NULL)
		return;
	(void)fprintf(notes, "unit.%s\t%s\t%s\n",
	    program_invocation_short_name, test, reason);
	(void)fclose(notes);
}

static inline int
unit_begin(void **state)
{
	struct unit *unit = *state;

	unit->arena = arena_new(UNIT_ARENA);
	return unit->arena != NULL ? 0 : -1;
}

static inline void
unit_run(void **state)
{
	struct unit *unit = *state;

	if (setjmp(*arena_guard(unit->arena)) != 0)
		unit_fail(__FILE__, __LINE__, "the arena's guard was reached");
	unit->body(unit->arena);
}

static inline int
unit_end(void **state)
{
	struct unit *unit = *state;

	arena_free(unit->arena);
	return 0;
}

/* ---- spans ---- */

#define ASSERT_SPAN(actual, expected) \
	unit_same(actual, expected, __FILE__, __LINE__)

/* The same, with a string to compare with. */
#define ASSERT_TEXT(actual, expected) \
	unit_same(actual, span_str(expected), __FILE__, __LINE__)

static inline void
unit_same(struct span actual, struct span expected, const char *file,
    int line)
{
	if (actual.n == expected.n &&
	    (actual.n == 0 || memcmp(actual.p, expected.p, actual.n) == 0))
		return;
	unit_fail(file, line, "have %zu bytes: %.*s\nwant %zu bytes: %.*s",
	    actual.n, (int)(actual.n < 900 ? actual.n : 900), actual.p,
	    expected.n, (int)(expected.n < 900 ? expected.n : 900),
	    expected.p);
}

/* SPAN for static tables: a compound literal is no constant. */
#define LIT(literal) {"" literal, sizeof(literal) - 1}

/* A span, where a compound literal's comma would split a macro's argument. */
static inline struct span
span_of(const char *p, size_t n)
{
	return (struct span){p, n};
}

/*
 * A copy of S in a piece of memory of its own and of exactly its size, so
 * that the sanitizer sees a read behind its end.
 */
static inline struct span
unit_exact(struct arena *arena, struct span s)
{
	/* The arena rounds sizes up: put the text at the end of its room. */
	size_t align = _Alignof(max_align_t);
	size_t room = (s.n + align - 1) / align * align;
	char *p = arena_alloc(arena, room);

	if (s.n > 0)
		memcpy(p + room - s.n, s.p, s.n);
	return (struct span){p + room - s.n, s.n};
}

/* TIMES times UNIT. */
static inline struct span
unit_repeat(struct arena *arena, struct span unit, size_t times)
{
	struct buf buf = buf_new(arena, unit.n * times);

	for (size_t i = 0; i < times; i++)
		buf_add(&buf, unit);
	return buf_span(&buf);
}

/* A then B. */
static inline struct span
unit_join(struct arena *arena, struct span a, struct span b)
{
	struct buf buf = buf_new(arena, a.n + b.n);

	buf_add(&buf, a);
	buf_add(&buf, b);
	return buf_span(&buf);
}

/* ---- chance ---- */

/* Numbers that only look random: a failing run can be run again. */
struct chance {
	uint64_t state;
};

static inline struct chance
chance_new(uint64_t seed)
{
	print_message("seed %llu\n", (unsigned long long)seed);
	return (struct chance){seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
}

static inline uint64_t
chance_next(struct chance *chance)
{
	uint64_t x = chance->state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	chance->state = x;
	return x * UINT64_C(0x2545f4914f6cdd1d) >> 16;
}

/* From 0 to BELOW - 1. */
static inline size_t
chance_below(struct chance *chance, size_t below)
{
	return (size_t)(chance_next(chance) % below);
}

#endif
