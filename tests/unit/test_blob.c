#include "unit_dir.h"

#include <sys/resource.h>

#include "work/blob/keep.h"

/* A store in which "text" is kept. */
struct world {
	struct store store;
	struct hasher hasher;
	struct blobs blobs;
	struct digest hash;
	const char *fan, *blob; /* objects/ab, and the blob in it */
};

static const char *
below(struct arena *arena, struct world *w, int n, const char *name)
{
	struct buf path = buf_new(arena, 256);

	buf_add(&path, w->store.root);
	buf_str(&path, "/objects/");
	buf_add(&path, (struct span){name, n > 0 ? (size_t)n : strlen(name)});
	return arena_cstr(arena, buf_span(&path));
}

static bool
keep_text(struct arena *arena, struct world *w, const char *text)
{
	const char *path = unit_path(arena, "text");
	struct content content = {CONTENT_FILE, digest_of(span_str(text))};
	struct keep keep = keep_begin(&w->blobs, KEEP_LATER);
	int root = open(unit_base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool kept;

	unit_write_file(path, span_str(text));
	kept = keep_content(&keep, root, SPAN("text"), &content, NULL) &&
	       keep_end(&keep);
	assert_int_equal(close(root), 0);
	return kept;
}

static void
make_world(struct arena *arena, const char *name, struct world *w)
{
	char blob[BLOB_NAME];

	w->store = store_at(
	    arena, span_str(unit_path(arena, name)), span_str(unit_base));
	w->hasher = (struct hasher){.arena = arena};
	w->blobs = blobs_in(&w->store, &w->hasher, DIR_MAKE);
	w->hash = digest_of(SPAN("text"));
	blob_name(&w->hash, blob);
	w->fan = below(arena, w, 2, blob);
	w->blob = below(arena, w, 0, blob);
	assert_true(keep_text(arena, w, "text"));
}

static mode_t
mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	return st.st_mode & 07777;
}

/* Another process cleared the store while this one had it open. */
static void
a_directory_that_was_removed_is_made_again(struct arena *arena)
{
	struct world w;

	make_world(arena, "removed", &w);
	assert_int_equal(unlink(w.blob), 0);
	assert_int_equal(rmdir(w.fan), 0);
	assert_int_equal(blob_check(&w.blobs, &w.hash, BLOB_ANY_SIZE, BLOB_USE),
	    BLOB_MISSING);
	assert_true(keep_text(arena, &w, "text"));
	assert_int_equal(access(w.blob, F_OK), 0);
	assert_int_equal(
	    blob_check(&w.blobs, &w.hash, BLOB_ANY_SIZE, BLOB_USE), BLOB_GOOD);
}

static void
a_renewed_blob_is_plain(struct arena *arena)
{
	struct world w;
	struct stat st;

	make_world(arena, "renewed", &w);
	assert_int_equal(chmod(w.blob, 04755), 0);
	assert_int_equal(stat(w.blob, &st), 0);
	assert_false(blob_is_plain(&w.blobs, &st));
	assert_true(blob_renew(&w.blobs, &w.hash));
	assert_int_equal(mode_of(w.blob), BLOB_MODE);
	assert_int_equal(stat(w.blob, &st), 0);
	assert_true(blob_is_plain(&w.blobs, &st));
	assert_int_equal(
	    blob_check(&w.blobs, &w.hash, BLOB_ANY_SIZE, BLOB_LOOK), BLOB_GOOD);
}

/* Other bytes, a link, a pipe: none of them becomes a blob. */
static void
what_is_no_blob_is_not_renewed(struct arena *arena)
{
	const char *other = unit_path(arena, "other");
	struct world w;

	make_world(arena, "none", &w);
	assert_int_equal(unlink(w.blob), 0);
	unit_write_file(w.blob, SPAN("bytes"));
	assert_false(blob_renew(&w.blobs, &w.hash));
	assert_int_equal(unlink(w.blob), 0);
	unit_write_file(other, SPAN("text"));
	assert_int_equal(symlink(other, w.blob), 0);
	assert_false(blob_renew(&w.blobs, &w.hash));
	assert_int_equal(unlink(w.blob), 0);
	assert_int_equal(mkfifo(w.blob, 0444), 0);
	assert_false(blob_renew(&w.blobs, &w.hash));
	assert_int_equal(
	    blob_check(&w.blobs, &w.hash, BLOB_ANY_SIZE, BLOB_LOOK),
	    BLOB_DAMAGED);
}

static void
another_users_file_is_not_plain(struct arena *arena)
{
	struct world w;
	struct stat st;

	if (geteuid() != 0)
		SKIP("only root can give things away");
	make_world(arena, "theirs", &w);
	assert_int_equal(chown(w.blob, 65534, 65534), 0);
	assert_int_equal(stat(w.blob, &st), 0);
	assert_false(blob_is_plain(&w.blobs, &st));
}

/* A link at objects/ab is not followed, a directory put there is found. */
static void
a_link_to_a_directory_has_no_blobs(struct arena *arena)
{
	const char *far = unit_path(arena, "far");
	struct blob_place place;
	struct world w, again;

	make_world(arena, "linked", &w);
	assert_int_equal(rename(w.fan, far), 0);
	assert_int_equal(symlink(far, w.fan), 0);
	again.store = store_at(arena, w.store.root, span_str(unit_base));
	again.hasher = (struct hasher){.arena = arena};
	again.blobs = blobs_in(&again.store, &again.hasher, DIR_USE);
	for (int want = DIR_LOOK; want <= DIR_MAKE; want++)
		assert_false(blob_find(
		    &again.blobs, &w.hash, (enum dir_want)want, &place));
	assert_int_equal(
	    blob_check(&again.blobs, &w.hash, BLOB_ANY_SIZE, BLOB_USE),
	    BLOB_MISSING);
	assert_int_equal(unlink(w.fan), 0);
	assert_int_equal(rename(far, w.fan), 0);
	assert_int_equal(
	    blob_check(&again.blobs, &w.hash, BLOB_ANY_SIZE, BLOB_USE),
	    BLOB_GOOD);
}

/* 256 directories do not fit: they are opened again and again then. */
static void
few_descriptors_are_enough(struct arena *arena)
{
	struct rlimit limit, few;
	struct world w;
	char text[32];

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	few = limit;
	few.rlim_cur = 32;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	make_world(arena, "few", &w);
	for (int i = 0; i < 300; i++) {
		(void)snprintf(text, sizeof(text), "text %d", i);
		assert_true(keep_text(arena, &w, text));
	}
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_directory_that_was_removed_is_made_again),
	    TEST(a_renewed_blob_is_plain),
	    TEST(what_is_no_blob_is_not_renewed),
	    TEST(another_users_file_is_not_plain),
	    TEST(a_link_to_a_directory_has_no_blobs),
	    TEST(few_descriptors_are_enough),
	};

	return RUN_TESTS_IN_DIR(tests);
}
