#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/arena.h"

#define MIB ((size_t)1024 * 1024)

static void
pieces_are_aligned_and_apart(struct arena *arena)
{
	enum { PIECES = 400 };
	unsigned char *pieces[PIECES];

	for (size_t i = 0; i < PIECES; i++) {
		pieces[i] = arena_alloc(arena, i);
		CHECK((uintptr_t)pieces[i] % _Alignof(max_align_t) == 0,
		    "%zu bytes are not aligned", i);
		memset(pieces[i], (int)(i % 251), i);
	}
	for (size_t i = 0; i < PIECES; i++)
		for (size_t k = 0; k < i; k++)
			CHECK(pieces[i][k] == i % 251,
			    "piece %zu was overwritten at %zu", i, k);
}

static void
large_pieces_are_whole(struct arena *arena)
{
	char *large = arena_alloc(arena, 3 * MIB + 1);
	char *small = arena_alloc(arena, 1);

	memset(large, 'a', 3 * MIB + 1);
	*small = 'b';
	assert_int_equal(large[0], 'a');
	assert_int_equal(large[3 * MIB], 'a');
}

/* Memory that was used before must come back clean. */
static void
arrays_are_cleared(struct arena *arena)
{
	for (int round = 0; round < 3; round++) {
		unsigned char *bytes = arena_array(arena, 1000, 3);

		for (size_t i = 0; i < 3000; i++)
			CHECK(bytes[i] == 0, "byte %zu is not 0", i);
		memset(bytes, 0xff, 3000);
		arena_reset(arena);
	}
	assert_non_null(arena_array(arena, 0, 8));
	assert_non_null(arena_array(arena, 8, 0));
}

static void
cstr_is_a_terminated_copy(struct arena *arena)
{
	char source[] = "ab\0cd";
	char *copy = arena_cstr(arena, (struct span){source, 5});

	source[0] = 'X';
	assert_memory_equal(copy, "ab\0cd\0", 6);
	assert_string_equal(arena_cstr(arena, SPAN("")), "");
}

/* Take pieces of SIZE until the guard is reached; give how many there were. */
static size_t
pieces_until_guard(struct arena *arena, size_t size)
{
	static size_t taken; /* survives the jump */

	taken = 0;
	if (setjmp(*arena_guard(arena)) != 0)
		return taken;
	for (;;) {
		(void)arena_alloc(arena, size);
		taken++;
	}
}

static void
limit_leads_to_guard(struct arena *unused)
{
	struct arena *arena = arena_new(MIB);
	size_t taken;

	(void)unused;
	assert_non_null(arena);
	taken = pieces_until_guard(arena, 32 * 1024);
	CHECK(taken > 0 && taken <= 32, "%zu pieces", taken);
	/* A reset gives everything back, as often as one likes. */
	for (int i = 0; i < 50; i++) {
		arena_reset(arena);
		assert_int_equal(pieces_until_guard(arena, 32 * 1024), taken);
	}
	arena_reset(arena);
	assert_int_equal(pieces_until_guard(arena, 2 * MIB), 0);
	arena_free(arena);
}

static void
take_too_much(struct arena *arena, int how)
{
	switch (how) {
	case 0:
		(void)arena_alloc(arena, SIZE_MAX);
		break;
	case 1:
		(void)arena_alloc(arena, SIZE_MAX - 15);
		break;
	case 2:
		(void)arena_alloc(arena, SIZE_MAX / 2);
		break;
	case 3:
		(void)arena_array(arena, SIZE_MAX / 2, 3);
		break;
	case 4:
		(void)arena_array(arena, 3, SIZE_MAX / 2);
		break;
	default:
		/* The product is 16 if it is allowed to wrap around. */
		(void)arena_array(arena, SIZE_MAX / 16 + 2, 16);
		break;
	}
}

static void
impossible_sizes_lead_to_guard(struct arena *arena)
{
	static int how;

	for (how = 0; how < 6; how++) {
		if (setjmp(*arena_guard(arena)) != 0)
			continue;
		take_too_much(arena, how);
		unit_fail(__FILE__, __LINE__, "case %d was given", how);
	}
}

static int
open_null(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static bool
is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static void
reset_closes_descriptors(struct arena *arena)
{
	int fds[5];

	for (size_t i = 0; i < COUNT_OF(fds); i++) {
		fds[i] = open_null();
		arena_own_fd(arena, fds[i]);
	}
	for (size_t i = 0; i < COUNT_OF(fds); i++)
		assert_true(is_open(fds[i]));
	arena_reset(arena);
	for (size_t i = 0; i < COUNT_OF(fds); i++)
		assert_false(is_open(fds[i]));
}

static void
reset_does_not_close_twice(struct arena *arena)
{
	int fd = open_null(), again;

	arena_own_fd(arena, fd);
	arena_reset(arena);
	again = open_null(); /* takes the number that became free */
	assert_int_equal(again, fd);
	arena_reset(arena);
	assert_true(is_open(again));
	(void)close(again);
}

static void
close_fd_closes_only_that(struct arena *arena)
{
	int first = open_null(), second = open_null(), third = open_null();
	int again;

	arena_own_fd(arena, first);
	arena_own_fd(arena, second);
	arena_own_fd(arena, third);
	arena_close_fd(arena, second);
	assert_true(is_open(first));
	assert_false(is_open(second));
	assert_true(is_open(third));

	again = open_null(); /* has the number of the second, is not owned */
	assert_int_equal(again, second);
	arena_reset(arena);
	assert_false(is_open(first));
	assert_true(is_open(again));
	assert_false(is_open(third));
	(void)close(again);
}

static void
free_closes_descriptors(struct arena *unused)
{
	struct arena *arena = arena_new(MIB);
	int fd = open_null();

	(void)unused;
	assert_non_null(arena);
	arena_own_fd(arena, fd);
	arena_free(arena);
	assert_false(is_open(fd));
	arena_free(NULL);
}

/* However many it can hold: what it was given is closed, also if given up. */
static void
too_many_descriptors_do_not_leak(struct arena *arena)
{
	enum { MANY = 100 };
	static int fds[MANY];
	static size_t given;

	given = 0;
	if (setjmp(*arena_guard(arena)) == 0) {
		while (given < MANY) {
			fds[given] = open_null();
			arena_own_fd(arena, fds[given++]);
		}
	}
	arena_reset(arena);
	for (size_t i = 0; i < given; i++)
		assert_false(is_open(fds[i]));
}

struct witness {
	int fd;
	char *memory;
	char *said;
};

static void
say_open(void *what)
{
	struct witness *witness = what;

	*witness->said = is_open(witness->fd) ? *witness->memory : '-';
}

static void
say_b(void *what)
{
	*(char *)what = 'b';
}

/* What ends with the arena still finds what the arena has, once. */
static void
endings_come_first(struct arena *arena)
{
	char said = 'a';
	struct witness witness = {open_null(), NULL, &said};

	arena_own_fd(arena, witness.fd);
	witness.memory = arena_cstr(arena, SPAN("m"));
	arena_at_reset(arena, say_open, &witness);
	arena_at_reset(arena, say_b, witness.memory); /* it is called first */
	arena_reset(arena);
	assert_int_equal(said, 'b');
	assert_false(is_open(witness.fd));
	said = 'a';
	arena_reset(arena);
	assert_int_equal(said, 'a');
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(pieces_are_aligned_and_apart),
		TEST(large_pieces_are_whole),
		TEST(arrays_are_cleared),
		TEST(cstr_is_a_terminated_copy),
		TEST(limit_leads_to_guard),
		TEST(impossible_sizes_lead_to_guard),
		TEST(reset_closes_descriptors),
		TEST(reset_does_not_close_twice),
		TEST(close_fd_closes_only_that),
		TEST(free_closes_descriptors),
		TEST(too_many_descriptors_do_not_leak),
		TEST(endings_come_first),
	};

	return RUN_TESTS(tests);
}
