#include "unit_dir.h"

#include <dirent.h>
#include <dlfcn.h>
#include <sys/wait.h>

#include "store/dir.h"
#include "store/store.h"
#include "store/walk.h"

/* A project directory and its store. */
struct world {
	struct arena *arena;
	const char *cwd;
	const char *root;
};

static struct world
new_world(struct arena *arena, const char *name)
{
	struct world world = {.arena = arena, .cwd = unit_path(arena, name)};

	assert_int_equal(mkdir(world.cwd, 0755), 0);
	world.root = arena_cstr(arena, unit_join(arena, span_str(world.cwd),
	    SPAN("/.pi/readcache")));
	return world;
}

/* The path of something in the store. */
static const char *
inside(const struct world *world, const char *name)
{
	struct span slash = unit_join(world->arena, span_str(world->root),
	    SPAN("/"));

	return arena_cstr(world->arena, unit_join(world->arena, slash,
	    span_str(name)));
}

static const char *
object_path(const struct world *world, struct span text)
{
	struct digest hash = digest_of(text);
	char hex[DIGEST_HEX + 1], name[128];

	digest_hex(&hash, hex);
	(void)snprintf(name, sizeof(name), "objects/sha256-%s.txt", hex);
	return inside(world, name);
}

/* Each of these is a request of its own. */

static bool
put(const struct world *world, struct span text)
{
	struct arena *arena = arena_new(UNIT_ARENA);
	struct digest hash = digest_of(text);
	struct store store;
	bool done;

	assert_non_null(arena);
	if (setjmp(*arena_guard(arena)) != 0)
		unit_fail(__FILE__, __LINE__, "put reached the guard");
	store = store_at(arena, span_str(world->root), span_str(world->cwd));
	done = store_put(&store, &hash, text);
	arena_free(arena);
	return done;
}

/* Is TEXT found by its hash?  If something else is, the test fails. */
static bool
get(const struct world *world, struct span text)
{
	struct arena *arena = arena_new(UNIT_ARENA);
	struct digest hash = digest_of(text);
	struct store store;
	struct span found;
	bool there;

	assert_non_null(arena);
	if (setjmp(*arena_guard(arena)) != 0)
		unit_fail(__FILE__, __LINE__, "get reached the guard");
	store = store_at(arena, span_str(world->root), span_str(world->cwd));
	there = store_get(&store, &hash, &found);
	if (there)
		ASSERT_SPAN(found, text);
	arena_free(arena);
	return there;
}

static struct store_stats
stats(const struct world *world)
{
	struct arena *arena = arena_new(UNIT_ARENA);
	struct store_stats result;
	struct store store;

	assert_non_null(arena);
	if (setjmp(*arena_guard(arena)) != 0)
		unit_fail(__FILE__, __LINE__, "stat reached the guard");
	store = store_at(arena, span_str(world->root), span_str(world->cwd));
	result = store_stat(&store);
	arena_free(arena);
	return result;
}

static bool
exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static mode_t
mode_of(const char *path)
{
	struct stat st;

	CHECK(lstat(path, &st) == 0, "%s is not there", path);
	return st.st_mode & 07777;
}

static size_t
names_in(const char *path)
{
	DIR *dir = opendir(path);
	size_t n = 0;

	CHECK(dir != NULL, "%s cannot be opened", path);
	while (readdir(dir) != NULL)
		n++;
	(void)closedir(dir);
	return n - 2; /* . and .. */
}

static struct span
content_of(struct arena *arena, const char *path)
{
	char *bytes = arena_alloc(arena, 4096);
	FILE *file = fopen(path, "rb");
	size_t n;

	CHECK(file != NULL, "%s cannot be read", path);
	n = fread(bytes, 1, 4096, file);
	(void)fclose(file);
	return span_of(bytes, n);
}

/* ---- what it is for ---- */

static void
gives_back_what_it_got(struct arena *arena)
{
	struct world world = new_world(arena, "round-trip");
	struct span texts[] = {SPAN("one\n"), SPAN(""), SPAN("a\0b"),
	    SPAN("caf\xc3\xa9\n"), unit_repeat(arena, SPAN("line\n"), 200000)};

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		assert_false(get(&world, texts[i]));
		assert_true(put(&world, texts[i]));
		assert_true(get(&world, texts[i]));
		assert_true(put(&world, texts[i])); /* again */
	}
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		assert_true(get(&world, texts[i]));
	assert_false(get(&world, SPAN("two\n")));
}

static void
looking_makes_nothing(struct arena *arena)
{
	struct world world = new_world(arena, "only-looked");

	assert_false(get(&world, SPAN("one\n")));
	assert_int_equal(stats(&world).objects, 0);
	assert_int_equal(stats(&world).bytes, 0);
	assert_int_equal(names_in(world.cwd), 0);
}

static void
layout(struct arena *arena)
{
	struct world world = new_world(arena, "layout");

	assert_true(put(&world, SPAN("one\n")));
	assert_true(exists(object_path(&world, SPAN("one\n"))));
	ASSERT_TEXT(content_of(arena, object_path(&world, SPAN("one\n"))),
	    "one\n");
	ASSERT_TEXT(content_of(arena, inside(&world, ".gitignore")), "*\n");
	assert_true(span_starts(content_of(arena,
	    inside(&world, "CACHEDIR.TAG")),
	    SPAN("Signature: 8a477f597d28d172789f06886806bc55\n")));
	assert_int_equal(names_in(inside(&world, "tmp")), 0);
	assert_int_equal(names_in(inside(&world, "objects")), 1);
	ASSERT_TEXT(content_of(arena, inside(&world, "last-gc")), "");
	assert_int_equal(names_in(world.root), 5);
}

/* F8: one that came with a repository would have git take everything up. */
static void
f8_git_is_kept_away(struct arena *arena)
{
	struct world world = new_world(arena, "notes");

	assert_true(put(&world, SPAN("one\n")));
	unit_write_file(inside(&world, ".gitignore"), SPAN("!*"));
	assert_true(put(&world, SPAN("two\n")));
	ASSERT_TEXT(content_of(arena, inside(&world, ".gitignore")), "*\n");
}

/* A kill while the store was made, or somebody who tidied up. */
static void
lost_notes_are_written_again(struct arena *arena)
{
	struct world world = new_world(arena, "lost-notes");

	assert_true(put(&world, SPAN("one\n")));
	unit_write_file(inside(&world, ".gitignore"), SPAN(""));
	assert_true(put(&world, SPAN("two\n")));
	ASSERT_TEXT(content_of(arena, inside(&world, ".gitignore")), "*\n");
	/* It begins as it should, and lets git in after that. */
	unit_write_file(inside(&world, ".gitignore"), SPAN("*\n!*\n"));
	assert_true(put(&world, SPAN("four\n")));
	ASSERT_TEXT(content_of(arena, inside(&world, ".gitignore")), "*\n");
	assert_int_equal(unlink(inside(&world, ".gitignore")), 0);
	assert_true(put(&world, SPAN("three\n")));
	ASSERT_TEXT(content_of(arena, inside(&world, ".gitignore")), "*\n");
}

/* Many newer views (T6) are looked at in one request. */
static void
many_objects_in_one_request(struct arena *arena)
{
	struct world world = new_world(arena, "many");
	struct store store = store_at(arena, span_str(world.root),
	    span_str(world.cwd));

	for (int i = 0; i < 60; i++) {
		char text[32];
		struct digest hash;
		struct span found;

		(void)snprintf(text, sizeof(text), "text %d", i);
		hash = digest_of(span_str(text));
		assert_false(store_get(&store, &hash, &found));
		assert_true(store_put(&store, &hash, span_str(text)));
		assert_true(store_get(&store, &hash, &found));
		ASSERT_TEXT(found, text);
	}
}

static void
deep_directories(struct arena *arena)
{
	struct world world = new_world(arena, "deep");

	world.root = arena_cstr(arena, unit_join(arena, span_str(world.cwd),
	    unit_repeat(arena, SPAN("/d"), 60)));
	assert_true(put(&world, SPAN("one\n")));
	assert_true(get(&world, SPAN("one\n")));
}

/* ---- T3: a name is a claim ---- */

static void
damaged_objects_are_removed(struct arena *arena)
{
	static const struct span damages[] = {LIT("two\n"), LIT("one"),
		LIT("one\n\n"), LIT(""), LIT("\0\0\0\0")};
	struct world world = new_world(arena, "damaged");

	for (size_t i = 0; i < COUNT_OF(damages); i++) {
		const char *path = object_path(&world, SPAN("one\n"));

		assert_true(put(&world, SPAN("one\n")));
		unit_write_file(path, damages[i]);
		CHECK(!get(&world, SPAN("one\n")), "damage %zu is served", i);
		CHECK(!exists(path), "damage %zu is still there", i);
		assert_true(put(&world, SPAN("one\n")));
		assert_true(get(&world, SPAN("one\n")));
	}
}

static void
another_size_is_written_again(struct arena *arena)
{
	struct world world = new_world(arena, "rewritten");

	assert_true(put(&world, SPAN("one\n")));
	unit_write_file(object_path(&world, SPAN("one\n")), SPAN("o"));
	assert_true(put(&world, SPAN("one\n")));
	assert_true(get(&world, SPAN("one\n")));
}

/* What is no file at all: never waited for, never believed. */
static void
objects_that_are_no_files(struct arena *arena)
{
	struct world world = new_world(arena, "no-files");
	const char *path = object_path(&world, SPAN("one\n"));

	assert_true(put(&world, SPAN("other\n")));
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_false(get(&world, SPAN("one\n")));
	(void)unlink(path);

	assert_int_equal(mkdir(path, 0700), 0);
	assert_false(get(&world, SPAN("one\n")));
	assert_false(put(&world, SPAN("one\n")));
	/* What could not be put in place is not left behind. */
	assert_int_equal(names_in(inside(&world, "tmp")), 0);
	assert_int_equal(rmdir(path), 0);
	assert_true(put(&world, SPAN("one\n")));
}

/* ---- links ---- */

static void
linked_object_is_refused(struct arena *arena)
{
	struct world world = new_world(arena, "linked-object");
	const char *path = object_path(&world, SPAN("one\n"));
	const char *target = unit_path(arena, "linked-object/target");

	assert_true(put(&world, SPAN("other\n")));
	unit_write_file(target, SPAN("one\n"));
	assert_int_equal(symlink(target, path), 0);
	assert_false(get(&world, SPAN("one\n")));
	/* The link gives way to the object; its target is not touched. */
	assert_true(put(&world, SPAN("one\n")));
	assert_true(get(&world, SPAN("one\n")));
	assert_int_equal(names_in(unit_path(arena, "linked-object")), 2);
	ASSERT_TEXT(content_of(arena, target), "one\n");
}

/*
 * Put a link to a directory outside in the place of WHERE, a directory of a
 * store that works: from then on nothing is found and nothing is written.
 */
static void
check_linked_directory(struct arena *arena, const char *name,
    const char *where, bool found)
{
	struct world world = new_world(arena, name);
	const char *path = arena_cstr(arena, unit_join(arena,
	    unit_join(arena, span_str(world.cwd), SPAN("/")),
	    span_str(where)));
	const char *moved = arena_cstr(arena, unit_join(arena,
	    span_str(world.cwd), SPAN("-outside")));

	assert_true(put(&world, SPAN("one\n")));
	assert_int_equal(rename(path, moved), 0);
	assert_int_equal(symlink(moved, path), 0);
	CHECK(get(&world, SPAN("one\n")) == found, "%s", where);
	CHECK(!put(&world, SPAN("two\n")), "%s was followed", where);
	assert_false(get(&world, SPAN("two\n")));
	assert_int_equal(stats(&world).objects, found ? 1 : 0);
}

static void
linked_directories_are_refused(struct arena *arena)
{
	check_linked_directory(arena, "link-pi", ".pi", false);
	check_linked_directory(arena, "link-root", ".pi/readcache", false);
	check_linked_directory(arena, "link-objects",
	    ".pi/readcache/objects", false);
	check_linked_directory(arena, "link-tmp", ".pi/readcache/tmp", true);
}

/* A link that leads nowhere is no place to make a directory either. */
static void
dangling_links_are_refused(struct arena *arena)
{
	struct world world = new_world(arena, "dangling");
	const char *nowhere = unit_path(arena, "dangling/nowhere");

	assert_int_equal(symlink(nowhere, unit_path(arena, "dangling/.pi")),
	    0);
	assert_false(put(&world, SPAN("one\n")));
	assert_false(exists(nowhere));
}

/* Outside of cwd the way may lead through links, the last step not. */
static void
links_outside_of_cwd(struct arena *arena)
{
	struct world world = new_world(arena, "outside-cwd");

	assert_int_equal(mkdir(unit_path(arena, "outside"), 0755), 0);
	assert_int_equal(mkdir(unit_path(arena, "outside/dir"), 0755), 0);
	assert_int_equal(symlink("dir", unit_path(arena, "outside/link")), 0);
	world.root = unit_path(arena, "outside/link/store");
	assert_true(put(&world, SPAN("one\n")));
	assert_true(get(&world, SPAN("one\n")));
	assert_true(exists(unit_path(arena, "outside/dir/store/objects")));

	world.root = unit_path(arena, "outside/link");
	assert_false(put(&world, SPAN("one\n")));
	assert_false(exists(unit_path(arena, "outside/dir/objects")));
}

/* The way to cwd itself is the user's own. */
static void
cwd_through_a_link(struct arena *arena)
{
	struct world real = new_world(arena, "real-cwd"), world = real;

	assert_int_equal(symlink(real.cwd, unit_path(arena, "cwd-link")), 0);
	world.cwd = unit_path(arena, "cwd-link");
	world.root = unit_path(arena, "cwd-link/.pi/readcache");
	assert_true(put(&world, SPAN("one\n")));
	assert_true(get(&real, SPAN("one\n")));
}

/* A directory whose name only begins like cwd is not below it. */
static void
cwd_is_no_prefix(struct arena *arena)
{
	struct world world = new_world(arena, "pre");

	assert_int_equal(mkdir(unit_path(arena, "target"), 0755), 0);
	assert_int_equal(symlink("target", unit_path(arena, "prefix")), 0);
	world.root = unit_path(arena, "prefix/store");
	assert_true(put(&world, SPAN("one\n")));
}

static void
everything_is_below_the_root(struct arena *arena)
{
	struct world world = new_world(arena, "cwd-root");

	assert_int_equal(mkdir(unit_path(arena, "cwd-root/dir"), 0755), 0);
	assert_int_equal(symlink("dir", unit_path(arena, "cwd-root/link")),
	    0);
	world.cwd = "/";
	world.root = unit_path(arena, "cwd-root/link/store");
	assert_false(put(&world, SPAN("one\n")));
	world.root = unit_path(arena, "cwd-root/dir/store");
	assert_true(put(&world, SPAN("one\n")));
}

static void
files_in_the_way(struct arena *arena)
{
	struct world world = new_world(arena, "in-the-way");

	unit_write_file(unit_path(arena, "in-the-way/.pi"), SPAN("mine"));
	assert_false(put(&world, SPAN("one\n")));
	assert_false(get(&world, SPAN("one\n")));
	ASSERT_TEXT(content_of(arena, unit_path(arena, "in-the-way/.pi")),
	    "mine");
	world.cwd = unit_path(arena, "gone");
	world.root = unit_path(arena, "gone/store");
	assert_false(put(&world, SPAN("one\n")));
	assert_false(exists(world.cwd));
}

/* ---- whose directory it is ---- */

/* A directory at the store's place, with FILES in it. */
static void
make_root(const struct world *world, const char *const *files)
{
	struct span pi = unit_join(world->arena, span_str(world->cwd),
	    SPAN("/.pi"));

	assert_int_equal(mkdir(arena_cstr(world->arena, pi), 0755), 0);
	assert_int_equal(mkdir(world->root, 0755), 0);
	assert_int_equal(chmod(world->root, 0755), 0);
	for (; *files != NULL; files++) {
		if (strcmp(*files, "objects") == 0)
			assert_int_equal(mkdir(inside(world, *files), 0755),
			    0);
		else
			unit_write_file(inside(world, *files), SPAN("mine"));
	}
}

/* Named by mistake: it must stay as it is. */
static void
check_untouched(struct arena *arena, const char *name,
    const char *const *files)
{
	struct world world = new_world(arena, name);
	size_t before;

	make_root(&world, files);
	before = names_in(world.root);
	CHECK(!put(&world, SPAN("one\n")), "%s was taken over", name);
	assert_false(get(&world, SPAN("one\n")));
	assert_int_equal(stats(&world).objects, 0);
	CHECK(mode_of(world.root) == 0755, "%s has mode %o", name,
	    mode_of(world.root));
	assert_int_equal(names_in(world.root), before);
}

static void
somebodys_directory_is_not_taken(struct arena *arena)
{
	static const char *const sources[] = {"main.c", NULL};
	static const char *const hidden[] = {".hidden", NULL};
	static const char *const noted[] = {".gitignore", "main.c", NULL};

	check_untouched(arena, "not-sources", sources);
	check_untouched(arena, "not-hidden", hidden);
	check_untouched(arena, "not-noted", noted);
}

/* It has objects, too, but they are none of ours. */
static void
a_git_directory_is_no_store(struct arena *arena)
{
	static const char *const git[] = {"HEAD", "config", "objects", NULL};

	check_untouched(arena, "not-git", git);
}

static void
an_empty_directory_is_taken(struct arena *arena)
{
	static const char *const none[] = {NULL};
	static const char *const noted[] = {".gitignore", "CACHEDIR.TAG",
	    NULL};
	struct world world = new_world(arena, "empty");

	make_root(&world, none);
	assert_true(put(&world, SPAN("one\n")));
	assert_true(get(&world, SPAN("one\n")));
	assert_int_equal(mode_of(world.root), 0700);
	/* Its making may have been interrupted here. */
	world = new_world(arena, "interrupted");
	make_root(&world, noted);
	assert_true(put(&world, SPAN("one\n")));
	assert_true(get(&world, SPAN("one\n")));
}

static bool
is_shared(const struct world *world)
{
	struct store store =
	    store_at(world->arena, span_str(world->root), span_str(world->cwd));

	return dir_is_shared(&store);
}

/* Beside other programs' files, what is not surely ours stays as it is. */
static void
a_directory_that_others_use(struct arena *arena)
{
	struct world world = new_world(arena, "others");

	world.root = unit_path(arena, "others/named");
	assert_false(is_shared(&world)); /* there is none yet */
	assert_int_equal(mkdir(world.root, 0755), 0);
	assert_false(is_shared(&world));
	assert_true(put(&world, SPAN("one\n")));
	assert_true(exists(inside(&world, "CACHEDIR.TAG")));
	assert_false(is_shared(&world));
	/* Another program's record; with memo it is one that it left. */
	unit_write_file(
	    inside(&world, "0123456789abcdef.json"), SPAN("{\"value\":\"v\"}"));
	assert_true(is_shared(&world));
	assert_int_equal(mkdir(inside(&world, "memo"), 0700), 0);
	assert_false(is_shared(&world));
	assert_int_equal(unlink(inside(&world, "CACHEDIR.TAG")), 0);
	assert_true(is_shared(&world));
}

/* Neither the project itself, nor what it lies in. */
static void
the_project_is_no_store(struct arena *arena)
{
	struct world world = new_world(arena, "project");

	world.root = world.cwd;
	assert_false(put(&world, SPAN("one\n")));
	assert_int_equal(names_in(world.cwd), 0);
	assert_int_equal(mkdir(unit_path(arena, "project/sub"), 0755), 0);
	world.cwd = unit_path(arena, "project/sub");
	world.root = unit_path(arena, "project");
	assert_false(put(&world, SPAN("one\n")));
	world.root = "/";
	assert_false(put(&world, SPAN("one\n")));
	assert_int_equal(names_in(unit_path(arena, "project")), 1);
	/* A name that only begins like it is another place. */
	world.root = unit_path(arena, "project/su");
	assert_true(put(&world, SPAN("one\n")));
}

/* ---- privacy ---- */

static void
check_modes(const struct world *world, const char *when)
{
	static const char *const directories[] = {"", "objects", "tmp"};
	static const char *const files[] = {".gitignore", "CACHEDIR.TAG"};

	for (size_t i = 0; i < COUNT_OF(directories); i++) {
		mode_t mode = mode_of(inside(world, directories[i]));

		CHECK(mode == 0700, "%s: /%s has mode %o", when,
		    directories[i], mode);
	}
	for (size_t i = 0; i < COUNT_OF(files); i++) {
		mode_t mode = mode_of(inside(world, files[i]));

		CHECK(mode == 0600, "%s: %s has mode %o", when, files[i],
		    mode);
	}
	CHECK(mode_of(object_path(world, SPAN("one\n"))) == 0600,
	    "%s: the object has mode %o", when,
	    mode_of(object_path(world, SPAN("one\n"))));
}

static unsigned masks_set;

mode_t
umask(mode_t mask)
{
	mode_t (*real)(mode_t);

	*(void **)&real = dlsym(RTLD_NEXT, "umask");
	masks_set++;
	return real(mask);
}

/* The umask is that of all threads: it stays, unless it locks out the owner. */
static void
a_usual_umask_is_left_alone(struct arena *arena)
{
	struct world world = new_world(arena, "usual-umask");
	mode_t mask = umask(027);
	unsigned before = masks_set;
	bool done = put(&world, SPAN("one\n"));
	unsigned after = masks_set;

	(void)umask(mask);
	assert_true(done);
	assert_int_equal(after, before);
}

static void
modes_under_any_umask(struct arena *arena)
{
	static const mode_t masks[] = {0, 022, 077, 0177, 0277, 0777};

	for (size_t i = 0; i < COUNT_OF(masks); i++) {
		char name[32];
		struct world world;
		mode_t mask, left;
		bool done;

		(void)snprintf(name, sizeof(name), "umask-%o", masks[i]);
		world = new_world(arena, name);
		mask = umask(masks[i]);
		done = put(&world, SPAN("one\n")) && get(&world, SPAN("one\n"));
		left = umask(mask);
		CHECK(done, "%s: nothing was stored", name);
		CHECK(left == masks[i], "%s: it is %o now", name, left);
		check_modes(&world, name);
	}
}

static void
looser_modes_are_tightened(struct arena *arena)
{
	struct world world = new_world(arena, "loose");
	const char *object = object_path(&world, SPAN("one\n"));

	assert_true(put(&world, SPAN("one\n")));
	assert_int_equal(chmod(world.root, 0755), 0);
	assert_int_equal(chmod(inside(&world, "objects"), 0777), 0);
	assert_int_equal(chmod(inside(&world, "tmp"), 01777), 0);
	assert_int_equal(chmod(object, 0644), 0);
	assert_true(put(&world, SPAN("one\n")));
	assert_true(put(&world, SPAN("two\n")));
	check_modes(&world, "after a put");

	assert_int_equal(chmod(world.root, 0711), 0);
	assert_int_equal(chmod(inside(&world, "objects"), 0755), 0);
	assert_int_equal(chmod(object, 0664), 0);
	assert_true(get(&world, SPAN("one\n")));
	check_modes(&world, "after a get");
}

/* To count is only to look. */
static void
counting_changes_nothing(struct arena *arena)
{
	struct world world = new_world(arena, "counted");

	assert_true(put(&world, SPAN("one\n")));
	assert_int_equal(chmod(world.root, 0755), 0);
	assert_int_equal(chmod(inside(&world, "objects"), 0711), 0);
	assert_int_equal(stats(&world).objects, 1);
	assert_int_equal(mode_of(world.root), 0755);
	assert_int_equal(mode_of(inside(&world, "objects")), 0711);
}

/* What leads to the store is the project's: as mkdir would make it. */
static void
directories_on_the_way(struct arena *arena)
{
	struct world world = new_world(arena, "on-the-way");
	mode_t mask = umask(022);
	bool done = put(&world, SPAN("one\n"));

	(void)umask(mask);
	assert_true(done);
	assert_int_equal(mode_of(unit_path(arena, "on-the-way/.pi")), 0755);
}

static void
somebody_elses_store(struct arena *arena)
{
	struct world world = new_world(arena, "foreign");

	if (geteuid() != 0)
		SKIP("only root can give things away");
	assert_true(put(&world, SPAN("one\n")));
	assert_int_equal(chown(world.root, 12345, 12345), 0);
	assert_false(get(&world, SPAN("one\n")));
	assert_false(put(&world, SPAN("two\n")));
	assert_int_equal(chown(world.root, 0, 0), 0);
	assert_true(get(&world, SPAN("one\n")));
	assert_int_equal(chown(inside(&world, "objects"), 12345, 12345), 0);
	assert_false(get(&world, SPAN("one\n")));
	assert_false(put(&world, SPAN("two\n")));
	assert_int_equal(stats(&world).objects, 0);
}

/* What somebody else left under the right name may change under us. */
static void
somebody_elses_object_is_replaced(struct arena *arena)
{
	struct world world = new_world(arena, "foreign-object");
	const char *path = object_path(&world, SPAN("one\n"));
	struct stat st;

	if (geteuid() != 0)
		skip();
	assert_true(put(&world, SPAN("one\n")));
	assert_int_equal(chown(path, 12345, 12345), 0);
	assert_true(put(&world, SPAN("one\n")));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_uid, 0);
}

/* ---- a directory that cannot be read to its end ---- */

static int readdir_error; /* of every name but the first ones */

struct dirent *
readdir(DIR *dir)
{
	static unsigned names;
	struct dirent *(*real)(DIR *);

	*(void **)&real = dlsym(RTLD_NEXT, "readdir");
	names = readdir_error != 0 ? names + 1 : 0;
	if (names > 1) {
		errno = readdir_error;
		return NULL;
	}
	return real(dir);
}

/* What was not seen may be anything, somebody's files included. */
static void
a_half_read_store_is_not_used(struct arena *arena)
{
	struct world world = new_world(arena, "half-read");

	assert_true(put(&world, SPAN("one\n")));
	readdir_error = EIO;
	assert_false(get(&world, SPAN("one\n")));
	assert_false(put(&world, SPAN("two\n")));
	readdir_error = 0;
	assert_true(get(&world, SPAN("one\n")));
}

/* Notes are files of their own, never somebody's file by another name. */
static void
notes_go_through_nothing(struct arena *arena)
{
	struct world linked = new_world(arena, "linked-notes");
	struct world named = new_world(arena, "named-notes");
	const char *victim = unit_path(arena, "linked-notes/victim");

	assert_int_equal(mkdir(unit_path(arena, "linked-notes/.pi"), 0755), 0);
	assert_int_equal(mkdir(linked.root, 0700), 0);
	assert_int_equal(symlink(victim, inside(&linked, DIR_STAMP)), 0);
	(void)put(&linked, SPAN("one\n"));
	assert_int_not_equal(access(victim, F_OK), 0);

	unit_write_file(victim, SPAN("mine\n"));
	assert_int_equal(chmod(victim, 0640), 0);
	assert_int_equal(mkdir(unit_path(arena, "named-notes/.pi"), 0755), 0);
	assert_int_equal(mkdir(named.root, 0700), 0);
	assert_int_equal(link(victim, inside(&named, DIR_STAMP)), 0);
	(void)put(&named, SPAN("one\n"));
	assert_int_equal(mode_of(victim), 0640);
}

/* ---- numbers ---- */

static void
counts_objects_and_bytes(struct arena *arena)
{
	struct world world = new_world(arena, "stats");

	assert_true(put(&world, SPAN("one\n")));
	assert_int_equal(stats(&world).objects, 1);
	assert_int_equal(stats(&world).bytes, 4);
	assert_true(put(&world, SPAN("three\n")));
	assert_true(put(&world, SPAN("")));
	assert_int_equal(stats(&world).objects, 3);
	assert_int_equal(stats(&world).bytes, 10);
}

/* Whoever starts it may have closed its input: 0 is a descriptor, too. */
static void
counts_without_an_input(struct arena *arena)
{
	struct walk walk;
	int dir;

	assert_int_equal(dup2(open("/dev/null", O_RDONLY), 0), 0);
	dir = open(unit_base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(close(0), 0);
	(void)arena;
	walk = walk_begin(dir);
	assert_non_null(walk.dir);
	assert_false(walk.partial);
	walk_end(&walk);
	(void)close(dir);
	(void)open("/dev/null", O_RDONLY);
}

static void
counts_again_in_one_request(struct arena *arena)
{
	struct world world = new_world(arena, "stats-twice");
	struct store store = store_at(arena, span_str(world.root),
	    span_str(world.cwd));

	assert_true(put(&world, SPAN("one\n")));
	for (int i = 0; i < 3; i++) {
		struct store_stats found = store_stat(&store);

		CHECK(found.objects == 1 && found.bytes == 4,
		    "call %d: %llu objects", i,
		    (unsigned long long)found.objects);
	}
}

/* Only sha256-<64 hex>.txt is an object. */
static void
foreign_names_are_no_objects(struct arena *arena)
{
	struct world world = new_world(arena, "foreign-names");

	assert_true(put(&world, SPAN("one\n")));
	unit_write_file(inside(&world, "objects/notes.txt"), SPAN("mine"));
	unit_write_file(inside(&world, "objects/sha256-12.txt"), SPAN("x"));
	assert_int_equal(mkdir(inside(&world, "objects/dir"), 0700), 0);
	assert_int_equal(symlink("notes.txt", inside(&world, "objects/l")),
	    0);
	assert_true(put(&world, SPAN("two\n")));
	assert_true(get(&world, SPAN("one\n")));
	/* They are left alone. */
	ASSERT_TEXT(content_of(arena, inside(&world, "objects/notes.txt")),
	    "mine");
	assert_int_equal(names_in(inside(&world, "objects")), 6);
	assert_int_equal(stats(&world).objects, 2);
	assert_int_equal(stats(&world).bytes, 8);
}

/* ---- several at once ---- */

static void
put_many(const struct world *world, int writer)
{
	for (int i = 0; i < 40; i++) {
		char text[64];

		(void)snprintf(text, sizeof(text), "shared %d\n", i);
		if (!put(world, span_str(text)))
			_exit(1);
		(void)snprintf(text, sizeof(text), "of %d %d\n", writer, i);
		if (!put(world, span_str(text)))
			_exit(2);
	}
	_exit(0);
}

static void
writers_do_not_harm_each_other(struct arena *arena)
{
	enum { WRITERS = 4 };
	struct world world = new_world(arena, "writers");
	pid_t writers[WRITERS];

	for (int i = 0; i < WRITERS; i++) {
		writers[i] = fork();
		assert_true(writers[i] >= 0);
		if (writers[i] == 0)
			put_many(&world, i);
	}
	for (int i = 0; i < WRITERS; i++) {
		int status;

		assert_int_equal(waitpid(writers[i], &status, 0), writers[i]);
		CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0,
		    "writer %d: status %d", i, status);
	}
	assert_int_equal(stats(&world).objects, 40 + WRITERS * 40);
	assert_int_equal(names_in(inside(&world, "tmp")), 0);
	for (int i = 0; i < 40; i++) {
		char text[64];

		(void)snprintf(text, sizeof(text), "shared %d\n", i);
		assert_true(get(&world, span_str(text)));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(gives_back_what_it_got),
		TEST(looking_makes_nothing),
		TEST(layout),
		TEST(f8_git_is_kept_away),
		TEST(lost_notes_are_written_again),
		TEST(many_objects_in_one_request),
		TEST(deep_directories),
		TEST(damaged_objects_are_removed),
		TEST(another_size_is_written_again),
		TEST(objects_that_are_no_files),
		TEST(linked_object_is_refused),
		TEST(linked_directories_are_refused),
		TEST(dangling_links_are_refused),
		TEST(links_outside_of_cwd),
		TEST(cwd_through_a_link),
		TEST(cwd_is_no_prefix),
		TEST(everything_is_below_the_root),
		TEST(files_in_the_way),
		TEST(somebodys_directory_is_not_taken),
		TEST(a_git_directory_is_no_store),
		TEST(an_empty_directory_is_taken),
		TEST(a_directory_that_others_use),
		TEST(the_project_is_no_store),
		TEST(modes_under_any_umask),
		TEST(a_usual_umask_is_left_alone),
		TEST(looser_modes_are_tightened),
		TEST(counting_changes_nothing),
		TEST(directories_on_the_way),
		TEST(somebody_elses_store),
		TEST(somebody_elses_object_is_replaced),
		TEST(a_half_read_store_is_not_used),
		TEST(notes_go_through_nothing),
		TEST(counts_objects_and_bytes),
		TEST(counts_without_an_input),
		TEST(counts_again_in_one_request),
		TEST(foreign_names_are_no_objects),
		TEST(writers_do_not_harm_each_other),
	};

	return RUN_TESTS_IN_DIR(tests);
}
