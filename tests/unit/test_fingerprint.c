#include "unit_dir.h"

#include "work/fingerprint/fingerprint.h"
#include "work/fingerprint/still.h"

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

/*
 * Resolve two files, then write CHANGED into the second one before the work,
 * and BACK after it.  What is said of the work; *WHICH is whose fault that is.
 */
static enum still_verdict
work_with(struct arena *arena, struct span changed, struct span back,
    struct span *which)
{
	const char *file = unit_path(arena, "second");
	struct span cwd = span_str(unit_base);
	struct hasher hasher = {.arena = arena};
	struct fingerprint known[2];
	struct still *still;

	unit_write_file(unit_path(arena, "first"), SPAN("one"));
	unit_write_file(file, SPAN("one"));
	known[0] = fingerprint_resolve(&hasher, cwd, SPAN("file:first"));
	known[1] = fingerprint_resolve(&hasher, cwd, SPAN("file:second"));
	if (changed.n > 0)
		unit_write_file(file, changed);
	still = fingerprint_watch(&hasher, cwd, known, 2);
	if (back.n > 0)
		unit_write_file(file, back);
	*which = SPAN("");
	return fingerprint_kept_still(&hasher, cwd, known, 2, still, which);
}

static void
which_one_did_not_keep_still(struct arena *arena)
{
	struct span which;

	assert_int_equal(
	    work_with(arena, SPAN(""), SPAN(""), &which), STILL_SAME);
	assert_int_equal(
	    work_with(arena, SPAN(""), SPAN("two"), &which), STILL_CHANGED);
	ASSERT_TEXT(which, "file:second");
	assert_int_equal(
	    work_with(arena, SPAN("two"), SPAN(""), &which), STILL_CHANGED);
	ASSERT_TEXT(which, "file:second");
	/* It was as in the key before and after the work, but not meanwhile. */
	assert_int_equal(work_with(arena, SPAN("two"), SPAN("one"), &which),
	    STILL_CHANGED);
	ASSERT_TEXT(which, "file:second");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(what_counts_of_a_tree),
	    TEST(what_cannot_be_seen_has_no_fingerprint),
	    TEST(which_one_did_not_keep_still),
	};

	return RUN_TESTS_IN_DIR(tests);
}
