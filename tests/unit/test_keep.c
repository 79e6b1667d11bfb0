#include "unit_dir.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>

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

/* Keep PATH, which is below the directory of this test. */
static bool
keep_at(struct keep *keep, const char *path, const struct content *content,
    const struct manifest *manifest)
{
	int root = open(unit_base, O_RDONLY | O_DIRECTORY | O_CLOEXEC), error;
	bool done = keep_content(keep, root,
	    span_str(path + strlen(unit_base) + 1), content, manifest);

	error = errno;
	(void)close(root);
	errno = error;
	return done;
}

static bool
keep_file_at(struct keep *keep, struct world *w, const char *path)
{
	struct content content = look_at(w, path);

	return keep_at(keep, path, &content, NULL);
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
	assert_false(keep_at(&keep, path, &content, NULL));
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

/* A name that no call of the system takes: the caller can say why. */
static void
a_path_that_is_too_long(struct arena *arena)
{
	enum { LEVELS = PATH_MAX / NAME_MAX + 1 };
	const char *dir = unit_path(arena, "deep");
	int levels[LEVELS + 1], error;
	char name[NAME_MAX + 1];
	struct content content;
	struct world w;
	bool known;

	make_world(arena, "deep-store", &w);
	memset(name, 'd', NAME_MAX);
	name[NAME_MAX] = '\0';
	assert_int_equal(mkdir(dir, 0755), 0);
	levels[0] = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (int i = 0; i < LEVELS; i++) {
		assert_int_equal(mkdirat(levels[i], name, 0755), 0);
		levels[i + 1] =
		    openat(levels[i], name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		assert_true(levels[i + 1] >= 0);
	}
	errno = 0;
	known = content_of(&w.look, AT_FDCWD, dir, &content, NULL);
	error = errno;
	/* First, as nobody could remove it by its name. */
	for (int i = LEVELS; i > 0; i--) {
		assert_int_equal(
		    unlinkat(levels[i - 1], name, AT_REMOVEDIR), 0);
		assert_int_equal(close(levels[i]), 0);
	}
	assert_int_equal(close(levels[0]), 0);
	assert_false(known);
	assert_int_equal(error, ENAMETOOLONG);
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
	assert_true(
	    keep_at(&keep, unit_path(arena, "tree"), &content, &manifest));
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

/* Of the file b, which is not the last one. */
static bool
withhold_b(void *context, struct span path)
{
	size_t *asked = context;

	++*asked;
	return span_eq(path, SPAN("b"));
}

static void
a_withheld_file_is_not_copied(struct arena *arena)
{
	struct manifest manifest, again;
	struct content content;
	struct keep keep;
	struct world w;
	size_t asked = 0;

	make_world(arena, "withheld-store", &w);
	assert_int_equal(mkdir(unit_path(arena, "withheld"), 0755), 0);
	unit_write_file(unit_path(arena, "withheld/a"), SPAN("plain a"));
	unit_write_file(unit_path(arena, "withheld/b"), SPAN("secret b"));
	unit_write_file(unit_path(arena, "withheld/c"), SPAN("plain c"));
	assert_true(content_of(&w.look, AT_FDCWD, unit_path(arena, "withheld"),
	    &content, &manifest));
	keep = keep_begin(&w.blobs, KEEP_NOW);
	keep.withholds = withhold_b;
	keep.context = &asked;
	assert_true(
	    keep_at(&keep, unit_path(arena, "withheld"), &content, &manifest));
	assert_true(keep_end(&keep));
	assert_int_equal(asked, 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(blob_check(&w.blobs, &manifest.files[i].hash,
				     BLOB_ANY_SIZE, BLOB_LOOK),
		    i == 1 ? BLOB_MISSING : BLOB_GOOD);
	assert_int_equal(
	    blob_check_content(&w.blobs, &content, BLOB_LOOK, &again),
	    BLOB_MISSING);
}

/* Try to keep PATH, and expect ERROR. */
static void
expect_refused(struct world *w, const char *path, int error)
{
	struct keep keep = keep_begin(&w->blobs, KEEP_NOW);
	struct manifest manifest;
	struct content content;

	assert_true(content_of(&w->look, AT_FDCWD, path, &content, &manifest));
	errno = 0;
	assert_false(keep_at(&keep, path, &content, &manifest));
	assert_int_equal(errno, error);
	keep_drop(&keep);
}

static void
no_link_is_followed(struct arena *arena)
{
	struct world w;

	make_world(arena, "link-store", &w);
	assert_int_equal(mkdir(unit_path(arena, "linked"), 0755), 0);
	unit_write_file(unit_path(arena, "linked/file"), SPAN("elsewhere"));
	assert_int_equal(symlink("linked/file", unit_path(arena, "link")), 0);
	assert_int_equal(symlink("linked", unit_path(arena, "dirlink")), 0);
	assert_int_equal(symlink("/etc", unit_path(arena, "out")), 0);
	expect_refused(&w, unit_path(arena, "link"), ELOOP);
	expect_refused(&w, unit_path(arena, "dirlink"), ENOTDIR);
	expect_refused(&w, unit_path(arena, "out/passwd"), EXDEV);
}

static void
a_link_to_a_blob_is_its_file(struct arena *arena)
{
	const char *path = unit_path(arena, "blob-file");
	const char *link = unit_path(arena, "blob-link");
	struct digest hash, found;
	struct content content;
	struct keep keep;
	struct world w;

	make_world(arena, "blob-link-store", &w);
	unit_write_file(path, SPAN("a blob"));
	content = look_at(&w, path);
	hash = content.hash;
	keep = keep_begin(&w.blobs, KEEP_NOW);
	assert_true(keep_at(&keep, path, &content, NULL));
	assert_true(keep_end(&keep));
	assert_int_equal(symlink(blob_path(arena, &w, &hash), link), 0);
	assert_true(blob_of_target(
	    &w.store, span_str(blob_path(arena, &w, &hash)), &found));
	assert_true(digest_eq(&hash, &found));
	/* It was changed by its link: what it is now is kept beside it. */
	assert_int_equal(chmod(blob_path(arena, &w, &hash), 0644), 0);
	unit_write_file(blob_path(arena, &w, &hash), SPAN("changed"));
	content = look_at(&w, link);
	keep = keep_begin(&w.blobs, KEEP_NOW);
	assert_true(keep_at(&keep, link, &content, NULL));
	assert_true(keep_end(&keep));
	assert_int_equal(
	    blob_check(&w.blobs, &content.hash, BLOB_ANY_SIZE, BLOB_LOOK),
	    BLOB_GOOD);
}

static void
only_a_blob_is_a_target(struct arena *arena)
{
	static const char *const others[] = {"", "/objects", "/objects/",
	    "/objects/../../x", "/objects/ab/cd",
	    "/objects/ab/"
	    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abc/",
	    "/objects/ab/"
	    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcg",
	    "/objects/ab/"
	    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde",
	    "/objects/ab."
	    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcd",
	    "-other/objects/ab/"
	    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcd"};
	struct digest hash;
	struct world w;

	make_world(arena, "target-store", &w);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct buf text = buf_new(arena, 128);

		buf_add(&text, w.store.root);
		buf_str(&text, others[i]);
		assert_false(blob_of_target(&w.store, buf_span(&text), &hash));
	}
	assert_false(blob_of_target(&w.store, SPAN("/etc/passwd"), &hash));
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
	assert_false(
	    keep_at(&keep, unit_path(arena, "moving"), &content, &manifest));
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
	    TEST(a_path_that_is_too_long),
	    TEST(a_tree_needs_all_of_its_blobs),
	    TEST(a_tree_that_changed_meanwhile_is_not_kept),
	    TEST(a_withheld_file_is_not_copied),
	    TEST(no_link_is_followed),
	    TEST(a_link_to_a_blob_is_its_file),
	    TEST(only_a_blob_is_a_target),
	    TEST(kind_and_bytes_count),
	};

	return RUN_TESTS_IN_DIR(tests);
}
