#include "unit_dir.h"

#include "work/fingerprint/fingerprint.h"

/* False if the fingerprint SPEC of the directory t cannot be resolved. */
static bool
resolve(struct arena *arena, const char *spec, struct digest *digest)
{
	struct hasher hasher = {.arena = arena};
	struct fingerprint fingerprint = fingerprint_resolve(
	    &hasher, span_str(unit_path(arena, "t")), span_str(spec));

	*digest = fingerprint.digest;
	return fingerprint.resolved;
}

/* Directories count by their name, files by their bytes. */
static void
what_counts_of_a_tree(struct arena *arena)
{
	struct digest before, now;

	assert_int_equal(mkdir(unit_path(arena, "t"), 0755), 0);
	assert_int_equal(mkdir(unit_path(arena, "t/d"), 0755), 0);
	unit_write_file(unit_path(arena, "t/f"), SPAN("one"));
	assert_true(resolve(arena, "glob!:*", &before));
	unit_write_file(unit_path(arena, "t/d/x"), SPAN("x"));
	assert_true(resolve(arena, "glob!:*", &now));
	assert_true(digest_eq(&before, &now));
	unit_write_file(unit_path(arena, "t/f"), SPAN("two"));
	assert_true(resolve(arena, "glob!:*", &now));
	assert_false(digest_eq(&before, &now));
}

/* A link to itself: nobody can say what is below it. */
static void
what_cannot_be_seen_has_no_fingerprint(struct arena *arena)
{
	struct digest digest;

	assert_int_equal(symlink("loop", unit_path(arena, "t/loop")), 0);
	assert_false(resolve(arena, "glob!:loop/*", &digest));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(what_counts_of_a_tree),
	    TEST(what_cannot_be_seen_has_no_fingerprint),
	};

	return RUN_TESTS_IN_DIR(tests);
}
