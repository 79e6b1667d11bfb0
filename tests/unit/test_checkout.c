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

static int rename_error, sync_error;

int
fdatasync(int fd)
{
	(void)fd;
	errno = sync_error;
	return sync_error != 0 ? -1 : 0;
}

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

/* A file that was kept and is gone, and all that it is brought back with. */
struct kept {
	const char *path;
	struct span name;
	struct hasher hasher;
	struct blobs blobs;
	struct content content;
	int root;
};

static struct store
store_of(struct arena *arena)
{
	return store_at(
	    arena, span_str(unit_path(arena, "store")), span_str(unit_base));
}

static struct kept *
keep_text(struct arena *arena, struct store *store, const char *name,
    struct span text)
{
	struct kept *kept = arena_array(arena, 1, sizeof(*kept));
	struct content_look look;
	struct keep keep;

	kept->path = unit_path(arena, name);
	kept->name = span_str(name);
	kept->hasher = (struct hasher){.arena = arena};
	kept->blobs = blobs_in(store, &kept->hasher, DIR_MAKE);
	kept->root = open(unit_base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	arena_own_fd(arena, kept->root);
	look = content_look(&kept->hasher, store);
	keep = keep_begin(&kept->blobs, KEEP_NOW);
	unit_write_file(kept->path, text);
	assert_true(
	    content_of(&look, AT_FDCWD, kept->path, &kept->content, NULL));
	assert_true(
	    keep_content(&keep, kept->root, kept->name, &kept->content, NULL));
	assert_true(keep_end(&keep));
	assert_int_equal(unlink(kept->path), 0);
	return kept;
}

static bool
bring_by(struct kept *kept, const char *ways)
{
	struct checkout_modes modes;

	assert_true(checkout_parse(span_str(ways), &modes));
	return checkout(&kept->blobs, &modes, kept->root, kept->name,
	    &kept->content, NULL);
}

/* Bring the file NAME, which held TEXT when it was kept, back as a copy. */
static bool
bring_back(struct arena *arena, struct store *store, const char *name,
    struct span text)
{
	return bring_by(keep_text(arena, store, name, text), "copy");
}

static const char *
blob_path(struct arena *arena, const struct kept *kept)
{
	char name[BLOB_NAME], path[128];

	blob_name(&kept->content.hash, name);
	(void)snprintf(path, sizeof(path), "store/objects/%s", name);
	return unit_path(arena, path);
}

/* What stands where a file is to be made is not written through. */
static void
nothing_is_written_through_a_link(struct arena *arena)
{
	struct store store = store_of(arena);
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
	struct store store = store_of(arena);

	rename_error = EIO;
	assert_false(bring_back(arena, &store, "moved", SPAN("text")));
	assert_int_equal(errno, EIO);
	rename_error = 0;
	assert_true(bring_back(arena, &store, "moved", SPAN("text")));
}

static bool
is_link(const char *path, const char *other)
{
	struct stat st, beside;

	assert_int_equal(lstat(path, &st), 0);
	assert_int_equal(lstat(other, &beside), 0);
	return st.st_ino == beside.st_ino;
}

/* A blob whose mode was changed is made anew before anything is linked to it. */
static void
a_blob_of_another_mode_is_made_anew(struct arena *arena)
{
	struct store store = store_of(arena);
	struct kept *kept = keep_text(arena, &store, "renewed", SPAN("anew"));
	const char *blob = blob_path(arena, kept);
	struct stat st;

	assert_int_equal(chmod(blob, 0644), 0);
	assert_true(bring_by(kept, "hardlink"));
	assert_true(is_link(kept->path, blob));
	assert_int_equal(lstat(blob, &st), 0);
	assert_int_equal(st.st_mode, S_IFREG | BLOB_MODE);
}

static void
a_blob_that_cannot_be_made_anew_is_copied(struct arena *arena)
{
	struct store store = store_of(arena);
	struct kept *kept = keep_text(arena, &store, "copied", SPAN("copy"));
	const char *blob = blob_path(arena, kept);

	assert_int_equal(chmod(blob, 0644), 0);
	sync_error = EIO;
	assert_true(bring_by(kept, "hardlink,copy"));
	assert_false(is_link(kept->path, blob));
	assert_int_equal(unlink(kept->path), 0);
	assert_true(bring_by(kept, "symlink,copy"));
	assert_false(is_link(kept->path, blob));
	assert_false(bring_by(kept, "hardlink"));
	sync_error = 0;
	assert_int_equal(errno, EPERM);
}

static void
a_blob_that_is_gone_is_told(struct arena *arena)
{
	struct store store = store_of(arena);
	struct kept *kept = keep_text(arena, &store, "gone", SPAN("gone"));

	assert_int_equal(unlink(blob_path(arena, kept)), 0);
	for (int i = 0; i < 3; i++) {
		static const char *const ways[] = {
		    "hardlink", "symlink", "copy"};

		errno = 0;
		CHECK(!bring_by(kept, ways[i]), "%s", ways[i]);
		CHECK(errno == ENOENT, "%s: %s", ways[i], strerror(errno));
		CHECK(access(kept->path, F_OK) != 0, "%s", ways[i]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(nothing_is_written_through_a_link),
	    TEST(what_cannot_be_put_in_place_is_told),
	    TEST(a_blob_of_another_mode_is_made_anew),
	    TEST(a_blob_that_cannot_be_made_anew_is_copied),
	    TEST(a_blob_that_is_gone_is_told),
	};

	return RUN_TESTS_IN_DIR(tests);
}
