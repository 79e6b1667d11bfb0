#include "unit_dir.h"

#include <stdio.h>
#include <time.h>

#include "work/blob/checkout.h"
#include "work/blob/keep.h"

/* The names of what is half made have the time in them: here it stands. */
int
clock_gettime(clockid_t clock, struct timespec *now)
{
	(void)clock;
	*now = (struct timespec){1700000000, 0xabc};
	return 0;
}

static int rename_error;

int
renameat2(int from, const char *name, int to, const char *other,
    unsigned flags)
{
	(void)flags;
	if (rename_error != 0) {
		errno = rename_error;
		return -1;
	}
	return renameat(from, name, to, other);
}

static const char *
half_made(struct arena *arena)
{
	char name[64];

	(void)snprintf(name, sizeof(name), ".readcache-%ld-abc",
	    (long)getpid());
	return unit_path(arena, name);
}

/* Bring the file NAME, which held TEXT when it was kept, back. */
static bool
bring_back(struct arena *arena, struct store *store, const char *name,
    struct span text)
{
	const struct checkout_modes copy = {{CHECKOUT_COPY}, 1};
	const char *path = unit_path(arena, name);
	struct hasher hasher = {.arena = arena};
	struct blobs blobs = blobs_in(store, &hasher, DIR_MAKE);
	struct content_look look = content_look(&hasher, store);
	struct keep keep = keep_begin(&blobs, KEEP_NOW);
	struct content content;
	int root = open(unit_base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool done;

	unit_write_file(path, text);
	assert_true(content_of(&look, AT_FDCWD, path, &content, NULL));
	assert_true(
	    keep_content(&keep, root, span_str(name), &content, NULL));
	assert_true(keep_end(&keep));
	assert_int_equal(unlink(path), 0);
	done = checkout(&blobs, &copy, root, span_str(name), &content, NULL);
	(void)close(root);
	return done;
}

/* What stands where a file is to be made is not written through. */
static void
nothing_is_written_through_a_link(struct arena *arena)
{
	struct store store = store_at(
	    arena, span_str(unit_path(arena, "store")), span_str(unit_base));
	const char *victim = unit_path(arena, "victim");
	struct stat st;

	assert_true(bring_back(arena, &store, "out", SPAN("text")));
	unit_write_file(victim, SPAN("mine"));
	assert_int_equal(symlink(victim, half_made(arena)), 0);
	assert_false(bring_back(arena, &store, "other", SPAN("something")));
	assert_int_equal(stat(victim, &st), 0);
	assert_int_equal(st.st_size, 4);
}

static void
what_cannot_be_put_in_place_is_told(struct arena *arena)
{
	struct store store = store_at(
	    arena, span_str(unit_path(arena, "store")), span_str(unit_base));

	rename_error = EIO;
	assert_false(bring_back(arena, &store, "moved", SPAN("text")));
	assert_int_equal(errno, EIO);
	rename_error = 0;
	assert_true(bring_back(arena, &store, "moved", SPAN("text")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(nothing_is_written_through_a_link),
	    TEST(what_cannot_be_put_in_place_is_told),
	};

	return RUN_TESTS_IN_DIR(tests);
}
