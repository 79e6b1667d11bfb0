/* The directories in which calls may have been made. */
#include "unit.h"

#include "session/dirs.h"

static struct span
numbered(struct arena *arena, uint64_t n)
{
	struct buf out = buf_new(arena, 16);

	buf_str(&out, "/w/");
	buf_u64(&out, n);
	return buf_span(&out);
}

/* Each is there once, in the order in which they came, and 40 at most. */
static void
as_many_as_are_followed(struct arena *arena)
{
	struct dirs dirs = {0};

	for (uint64_t i = 0; i < 2 * DIRS_MAX; i++)
		dirs_add(&dirs, arena, numbered(arena, i % DIRS_MAX));
	assert_int_equal(dirs.n, 40);
	assert_false(dirs.untold);
	for (uint64_t i = 0; i < DIRS_MAX; i++)
		ASSERT_SPAN(dirs.list[i], numbered(arena, i));
	dirs_add(&dirs, arena, numbered(arena, DIRS_MAX));
	assert_int_equal(dirs.n, 40);
	assert_true(dirs.untold);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(as_many_as_are_followed),
	};

	return RUN_TESTS(tests);
}
