#include "unit_dir.h"

#include <dirent.h>
#include <dlfcn.h>

#include "work/blob/keep.h"

/* ---- the system's calls, watched ---- */

/* How often each was made since the last look, and what it is to answer. */
static struct {
	unsigned files, systems; /* fdatasync, syncfs */
	int error;		 /* of both, if not 0 */
	int readdir_error;	 /* of the second name of a directory */
	unsigned names;
	/* Called when a file is synced: what is there by then? */
	void (*look)(void);
} calls;

static int
answer(void)
{
	if (calls.look != NULL)
		calls.look();
	errno = calls.error;
	return calls.error != 0 ? -1 : 0;
}

int
fdatasync(int fd)
{
	(void)fd;
	calls.files++;
	return answer();
}

int
syncfs(int fd)
{
	(void)fd;
	calls.systems++;
	return answer();
}

struct dirent *
readdir(DIR *dir)
{
	struct dirent *(*real)(DIR *);

	*(void **)&real = dlsym(RTLD_NEXT, "readdir");
	if (calls.readdir_error != 0 && ++calls.names > 1) {
		errno = calls.readdir_error;
		return NULL;
	}
	return real(dir);
}

/* ---- a store, and a file to keep ---- */

struct world {
	struct store store;
	struct hasher hasher;
	struct blobs blobs;
	struct content_look look;
};

static void
make_world(struct arena *arena, const char *name, struct world *w)
{
	memset(&calls, 0, sizeof(calls));
	w->store = store_at(
	    arena, span_str(unit_path(arena, name)), span_str(unit_base));
	w->hasher = (struct hasher){.arena = arena};
	w->blobs = blobs_in(&w->store, &w->hasher, DIR_MAKE);
	w->look = content_look(&w->hasher, &w->store);
	assert_true(w->blobs.objects >= 0);
}

static struct content
look_at(struct world *w, const char *path)
{
	struct content content;

	assert_true(content_of(&w->look, AT_FDCWD, path, &content, NULL));
	return content;
}

static const char *
blob_path(struct arena *arena, struct world *w, const struct digest *hash)
{
	char name[BLOB_NAME];
	struct buf path = buf_new(arena, 256);

	blob_name(hash, name);
	buf_add(&path, w->store.root);
	buf_str(&path, "/objects/");
	buf_str(&path, name);
	return arena_cstr(arena, buf_span(&path));
}

static bool
keep_file_at(struct keep *keep, struct world *w, const char *path)
{
	struct content content = look_at(w, path);

	return keep_content(keep, AT_FDCWD, path, &content, NULL);
}

/* ---- tests ---- */

/* The file of which blob_is_named tells whether it is there. */
static const char *awaited;
static bool was_there;

static void
blob_is_named(void)
{
	was_there = was_there || access(awaited, F_OK) == 0;
}

/* A loss of power between the two would leave a name without its bytes. */
static void
bytes_are_durable_before_they_have_a_name(struct arena *arena)
{
	const char *path = unit_path(arena, "durable.txt");
	struct world w;
	struct content content;
	struct keep keep;

	make_world(arena, "durable", &w);
	unit_write_file(path, SPAN("text"));
	content = look_at(&w, path);
	awaited = blob_path(arena, &w, &content.hash);
	was_there = false;
	calls.look = blob_is_named;
	keep = keep_begin(&w.blobs, KEEP_NOW);
	assert_true(keep_file_at(&keep, &w, path));
	assert_true(keep_end(&keep));
	assert_int_equal(calls.files, 1);
	assert_false(was_there);
	assert_int_equal(access(awaited, F_OK), 0);
}

static void
what_is_not_durable_gets_no_name(struct arena *arena)
{
	const char *path = unit_path(arena, "full.txt");
	struct world w;
	struct content content;
	struct keep keep;

	make_world(arena, "full", &w);
	unit_write_file(path, SPAN("text"));
	content = look_at(&w, path);
	calls.error = EIO;
	keep = keep_begin(&w.blobs, KEEP_NOW);
	assert_true(keep_file_at(&keep, &w, path));
	assert_false(keep_end(&keep));
	assert_int_equal(errno, EIO);
	assert_int_not_equal(
	    access(blob_path(arena, &w, &content.hash), F_OK), 0);
}

/* Somebody else syncs, and is told that there is something to sync. */
static void
later_is_said(struct arena *arena)
{
	const char *path = unit_path(arena, "later.txt");
	struct world w;
	struct keep keep;

	make_world(arena, "later", &w);
	unit_write_file(path, SPAN("text"));
	keep = keep_begin(&w.blobs, KEEP_LATER);
	assert_true(keep_file_at(&keep, &w, path));
	assert_true(keep_end(&keep));
	assert_int_equal(calls.files + calls.systems, 0);
	assert_true(w.store.unsynced);
}

static void
keep_many(struct arena *arena, struct world *w, struct keep *keep)
{
	*keep = keep_begin(&w->blobs, KEEP_NOW);
	for (int i = 0; i < 200; i++) {
		char name[32];
		const char *path;

		(void)snprintf(name, sizeof(name), "many-%d.txt", i);
		path = unit_path(arena, name);
		unit_write_file(path, span_str(name));
		assert_true(keep_file_at(keep, w, path));
	}
}

static void
many_are_made_durable_at_once(struct arena *arena)
{
	struct world w;
	struct keep keep;

	make_world(arena, "many", &w);
	keep_many(arena, &w, &keep);
	assert_true(keep_end(&keep));
	assert_int_equal(calls.systems, 1);
	assert_int_equal(calls.files, 0);

	make_world(arena, "many-full", &w);
	calls.error = EIO;
	keep_many(arena, &w, &keep);
	assert_false(keep_end(&keep));
	assert_int_equal(calls.systems, 1);
}

/* What is in the store must be what its name says, whoever writes beside. */
static void
a_file_that_changed_meanwhile_is_not_kept(struct arena *arena)
{
	const char *path = unit_path(arena, "busy.txt");
	struct world w;
	struct content content;
	struct keep keep;

	make_world(arena, "busy", &w);
	unit_write_file(path, SPAN("before"));
	content = look_at(&w, path);
	unit_write_file(path, SPAN("after!"));
	keep = keep_begin(&w.blobs, KEEP_NOW);
	errno = 0;
	assert_false(keep_content(&keep, AT_FDCWD, path, &content, NULL));
	assert_int_equal(errno, EBUSY);
	keep_drop(&keep);
	assert_int_not_equal(
	    access(blob_path(arena, &w, &content.hash), F_OK), 0);
}

/* Half a directory would have the hash of a smaller one. */
static void
a_directory_that_cannot_be_read_to_its_end(struct arena *arena)
{
	const char *dir = unit_path(arena, "half");
	struct content content;
	struct world w;

	make_world(arena, "half-store", &w);
	assert_int_equal(mkdir(dir, 0755), 0);
	unit_write_file(unit_path(arena, "half/a"), SPAN("a"));
	unit_write_file(unit_path(arena, "half/b"), SPAN("b"));
	assert_int_equal(look_at(&w, dir).kind, CONTENT_TREE);
	calls.readdir_error = EIO;
	assert_false(content_of(&w.look, AT_FDCWD, dir, &content, NULL));
	calls.readdir_error = 0;
}

/* ---- trees ---- */

/* A tree of two files, and what it is. */
static struct content
make_tree(struct arena *arena, struct world *w, const char *name,
    struct manifest *manifest)
{
	const char *dir = unit_path(arena, name);
	struct buf path = buf_new(arena, 256);
	struct content content;

	assert_int_equal(mkdir(dir, 0755), 0);
	buf_str(&path, name);
	buf_str(&path, "/a");
	unit_write_file(
	    unit_path(arena, arena_cstr(arena, buf_span(&path))), SPAN("a"));
	path.n--;
	buf_str(&path, "b");
	unit_write_file(
	    unit_path(arena, arena_cstr(arena, buf_span(&path))), SPAN("b"));
	assert_true(content_of(&w->look, AT_FDCWD, dir, &content, manifest));
	return content;
}

static void
a_tree_needs_all_of_its_blobs(struct arena *arena)
{
	struct manifest manifest, again;
	struct content content;
	struct keep keep;
	struct world w;

	make_world(arena, "tree-store", &w);
	content = make_tree(arena, &w, "tree", &manifest);
	keep = keep_begin(&w.blobs, KEEP_NOW);
	assert_true(keep_content(&keep, AT_FDCWD, unit_path(arena, "tree"),
	    &content, &manifest));
	assert_true(keep_end(&keep));
	assert_int_equal(
	    blob_check_content(&w.blobs, &content, BLOB_LOOK, &again),
	    BLOB_GOOD);
	assert_int_equal(
	    unlink(blob_path(arena, &w, &manifest.files[0].hash)), 0);
	assert_int_equal(
	    blob_check_content(&w.blobs, &content, BLOB_LOOK, &again),
	    BLOB_MISSING);
	/* What is no file does not stop anybody. */
	assert_int_equal(
	    mkfifo(blob_path(arena, &w, &manifest.files[0].hash), 0600), 0);
	assert_int_equal(
	    blob_check_content(&w.blobs, &content, BLOB_LOOK, &again),
	    BLOB_DAMAGED);
}

static void
a_tree_that_changed_meanwhile_is_not_kept(struct arena *arena)
{
	struct manifest manifest;
	struct content content;
	struct keep keep;
	struct world w;

	make_world(arena, "moving-store", &w);
	content = make_tree(arena, &w, "moving", &manifest);
	unit_write_file(unit_path(arena, "moving/a"), SPAN("c"));
	keep = keep_begin(&w.blobs, KEEP_NOW);
	assert_false(keep_content(&keep, AT_FDCWD, unit_path(arena, "moving"),
	    &content, &manifest));
	keep_drop(&keep);
}

/* ---- what is the same ---- */

static void
kind_and_bytes_count(struct arena *arena)
{
	const char *path = unit_path(arena, "kinds.txt");
	struct content plain, other;
	struct world w;

	make_world(arena, "kinds", &w);
	unit_write_file(path, SPAN("text"));
	assert_int_equal(chmod(path, 0644), 0);
	plain = look_at(&w, path);
	assert_int_equal(plain.kind, CONTENT_FILE);
	other = look_at(&w, path);
	assert_true(content_eq(&plain, &other));
	assert_int_equal(chmod(path, 0600), 0);
	other = look_at(&w, path);
	assert_int_equal(other.kind, CONTENT_PRIVATE);
	assert_false(content_eq(&plain, &other));
	assert_int_equal(chmod(path, 0644), 0);
	unit_write_file(path, SPAN("words"));
	other = look_at(&w, path);
	assert_int_equal(other.kind, CONTENT_FILE);
	assert_false(content_eq(&plain, &other));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(bytes_are_durable_before_they_have_a_name),
	    TEST(what_is_not_durable_gets_no_name),
	    TEST(later_is_said),
	    TEST(many_are_made_durable_at_once),
	    TEST(a_file_that_changed_meanwhile_is_not_kept),
	    TEST(a_directory_that_cannot_be_read_to_its_end),
	    TEST(a_tree_needs_all_of_its_blobs),
	    TEST(a_tree_that_changed_meanwhile_is_not_kept),
	    TEST(kind_and_bytes_count),
	};

	return RUN_TESTS_IN_DIR(tests);
}
