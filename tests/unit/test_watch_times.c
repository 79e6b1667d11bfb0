/*
 * Names that came and went, by the times of a directory.
 */
#include "unit_dir.h"
#include "work/fingerprint/watch_times.h"

/* Do WHAT in the test's directory, by the shell. */
static void
in_dir(const char *what)
{
	char line[1024];

	(void)snprintf(
	    line, sizeof(line), "cd '%s' && { %s; }", unit_base, what);
	assert_int_equal(system(line), 0);
}

/* Is "d" the same for COMPONENT after WHAT was done? */
static bool
same_after(
    struct arena *arena, const char *component, bool literal, const char *what)
{
	const char *dir = unit_path(arena, "d");
	struct watch_times times;
	int fd;

	in_dir("rm -rf d e && mkdir -p d/sub && echo a > d/a");
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	times = watch_times_note(arena, fd, span_str(component), literal);
	(void)close(fd);
	in_dir(what);
	return watch_times_same(
	    arena, &times, span_str(dir), span_str(component));
}

static void
what_is_noticed(struct arena *arena)
{
	static const struct {
		const char *component, *what;
		bool literal, same;
	} rows[] = {
	    {"*", "true", false, true},
	    {"*", "echo b > d/a", false, true}, /* no name came or went */
	    {"*", "touch d/x && rm d/x", false, false},
	    {"*", "mv d/a d/b && mv d/b d/a", false, false},
	    {"*", "mv d e && cp -r e d", false, false},
	    {"*", "rm -r d", false, false},
	    {"none", "true", true, true},
	    {"none", "touch d/none && rm d/none", true, false},
	    {"a", "touch d/x", true, true},  /* another name */
	    {"a", "touch d/x", false, true}, /* a pattern of one name */
	    {"*a", "touch d/x", false, false},
	    {"*a", "touch d/x", true, false}, /* a name that is not there */
	    {"a", "mv d/a d/b && mv d/b d/a", true, false},
	    {"a", "cp d/a d/b && mv d/b d/a", true, false},
	    {"sub", "touch d/sub/x", true, true},
	    {"sub", "touch d/x", true, true},
	    {"sub", "mv d/sub d/s && mv d/s d/sub", true, false},
	    /* What is made in it later hides the move. */
	    {"sub", "mv d/sub d/s && mv d/s d/sub && touch d/sub/x", true,
		false},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK(same_after(arena, rows[i].component, rows[i].literal,
			  rows[i].what) == rows[i].same,
		    "%s: %s", rows[i].component, rows[i].what);
}

static void
what_is_not_known_is_not_the_same(struct arena *arena)
{
	struct watch_times times = watch_times_note(arena, -1, SPAN("a"), true);

	assert_false(times.known);
	assert_false(
	    watch_times_same(arena, &times, span_str(unit_base), SPAN("a")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(what_is_noticed),
	    TEST(what_is_not_known_is_not_the_same),
	};

	return RUN_TESTS_IN_DIR(tests);
}
