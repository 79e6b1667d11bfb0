/* What a command wrote, kept and said again. */
#include <unistd.h>

#include "unit.h"
#include "work/exec/said.h"

struct piece {
	enum said_stream stream;
	const char *text;
};

static struct said
say(struct arena *arena, const struct piece *pieces, size_t n)
{
	struct said said = said_new(arena);

	for (size_t i = 0; i < n; i++)
		assert_true(said_add(
		    &said, pieces[i].stream, span_str(pieces[i].text)));
	return said;
}

static void
order_alternates_beginning_with_output(struct arena *arena)
{
	const struct piece pieces[] = {{SAID_ERR, "warn"}, {SAID_OUT, "ab"},
	    {SAID_OUT, "c"}, {SAID_ERR, "!"}, {SAID_OUT, "\n"}};
	struct said said = say(arena, pieces, COUNT_OF(pieces));

	ASSERT_TEXT(said_order(&said), "0 4 3 1 1");
	ASSERT_TEXT(buf_span(&said.text[SAID_OUT]), "abc\n");
	ASSERT_TEXT(buf_span(&said.text[SAID_ERR]), "warn!");
}

static void
one_stream_has_no_order(struct arena *arena)
{
	const struct piece out[] = {{SAID_OUT, "a"}, {SAID_ERR, ""}};
	const struct piece err[] = {{SAID_ERR, "a"}};
	struct said said = say(arena, out, COUNT_OF(out));

	ASSERT_TEXT(said_order(&said), "");
	said = say(arena, err, COUNT_OF(err));
	ASSERT_TEXT(said_order(&said), "");
}

static void
more_than_the_limit_is_not_kept(struct arena *arena)
{
	struct said said = said_new(arena);
	struct span most = unit_repeat(arena, SPAN("x"), SAID_MAX);

	assert_true(said_add(&said, SAID_OUT, most));
	assert_false(said.lost);
	assert_false(said_add(&said, SAID_ERR, SPAN("y")));
	assert_true(said.lost);
	assert_false(said_add(&said, SAID_OUT, SPAN("")));
}

/* Both streams into one pipe: the order is then to be seen. */
static struct span
replay(struct arena *arena, const char *out, const char *err, const char *order)
{
	char *heard = arena_alloc(arena, 256);
	int ends[2];
	ssize_t n;

	assert_int_equal(pipe(ends), 0);
	assert_true(said_replay(span_str(out), span_str(err), span_str(order),
	    (const int[]){ends[1], ends[1]}));
	(void)close(ends[1]);
	n = read(ends[0], heard, 256);
	(void)close(ends[0]);
	assert_true(n >= 0);
	return span_of(heard, (size_t)n);
}

static void
replay_follows_the_order(struct arena *arena)
{
	ASSERT_TEXT(replay(arena, "abc\n", "warn!", "0 4 3 1 1"), "warnabc!\n");
	ASSERT_TEXT(replay(arena, "ab", "", ""), "ab");
	ASSERT_TEXT(replay(arena, "", "e", ""), "e");
	ASSERT_TEXT(replay(arena, "", "", ""), "");
}

static void
an_order_that_does_not_fit_is_ignored(struct arena *arena)
{
	static const char *const wrong[] = {"", "1", "3 1", "2 1 1", "2 2 0",
	    "-1 1", "2  1", "2 1 x", "99999999999999999999 1", "1 1"};

	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		ASSERT_TEXT(replay(arena, "ab", "e", wrong[i]), "abe");
	ASSERT_TEXT(replay(arena, "ab", "e", "1 1 1"), "aeb");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(order_alternates_beginning_with_output),
	    TEST(one_stream_has_no_order),
	    TEST(more_than_the_limit_is_not_kept),
	    TEST(replay_follows_the_order),
	    TEST(an_order_that_does_not_fit_is_ignored),
	};

	return RUN_TESTS(tests);
}
