/* Names that stay below a directory, with the kernel's help and without. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "unit.h"

/* A directory with a file, a tree, and links that lead about and out. */
struct world {
	char path[64];
	int top, root;
};

static struct world
make_world(void)
{
	struct world world = {.path = "/tmp/readcache-beneath-XXXXXX"};

	assert_non_null(mkdtemp(world.path));
	world.top = open(world.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(mkdirat(world.top, "root", 0700), 0);
	assert_int_equal(mkdirat(world.top, "outside", 0700), 0);
	world.root =
	    openat(world.top, "root", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(mkdirat(world.root, "a", 0700), 0);
	assert_int_equal(mkdirat(world.root, "a/b", 0700), 0);
	assert_int_equal(symlinkat("../outside", world.root, "out"), 0);
	assert_int_equal(symlinkat("/", world.root, "slash"), 0);
	assert_int_equal(symlinkat("a", world.root, "within"), 0);
	return world;
}

static void
end_world(struct arena *arena, struct world *world)
{
	(void)close(world->root);
	assert_true(beneath_remove(arena, world->top, "root"));
	assert_true(beneath_remove(arena, world->top, "outside"));
	(void)close(world->top);
	assert_int_equal(rmdir(world->path), 0);
}

static void
expect(struct arena *arena, int root,
    int (*open_dir)(struct arena *, int, struct span), const char *path,
    bool found)
{
	int fd = open_dir(arena, root, span_str(path));

	CHECK((fd >= 0) == found, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		(void)close(fd);
}

static void
no_name_leads_out(struct arena *arena)
{
	static const char *const outside[] = {"..", "a/../..", "out", "slash",
	    "slash/tmp", "out/x", "a/b/../../../outside", "/", "/tmp"};
	struct world world = make_world();

	for (size_t i = 0; i < COUNT_OF(outside); i++) {
		expect(arena, world.root, beneath_dir, outside[i], false);
		expect(
		    arena, world.root, beneath_dir_by_steps, outside[i], false);
	}
	expect(arena, world.root, beneath_dir, "", true);
	expect(arena, world.root, beneath_dir, "a/b", true);
	expect(arena, world.root, beneath_dir, "within/b", true);
	expect(arena, world.root, beneath_dir_by_steps, "", true);
	expect(arena, world.root, beneath_dir_by_steps, "a/b", true);
	/* Without the kernel's help no link is followed at all. */
	expect(arena, world.root, beneath_dir_by_steps, "within/b", false);
	end_world(arena, &world);
}

static void
missing_directories_are_made_if_wanted(struct arena *arena)
{
	struct world world = make_world();
	struct beneath place;
	struct stat st;

	assert_false(
	    beneath_go(arena, world.root, SPAN("x/y/z"), BENEATH_FIND, &place));
	assert_int_equal(errno, ENOENT);
	assert_true(
	    beneath_go(arena, world.root, SPAN("x/y/z"), BENEATH_MAKE, &place));
	assert_string_equal(place.name, "z");
	assert_int_equal(fstatat(world.root, "x/y", &st, 0), 0);
	assert_int_equal(fstatat(world.root, "x/y/z", &st, 0), -1);
	beneath_close(&place);
	assert_false(beneath_go(
	    arena, world.root, SPAN("out/new/z"), BENEATH_MAKE, &place));
	assert_int_equal(fstatat(world.top, "outside/new", &st, 0), -1);
	end_world(arena, &world);
}

static void
removing_follows_no_link(struct arena *arena)
{
	struct world world = make_world();
	struct stat st;
	int fd = openat(world.top, "outside/keep", O_CREAT | O_WRONLY, 0600);

	assert_true(fd >= 0);
	(void)close(fd);
	assert_int_equal(symlinkat("../../outside", world.root, "a/out"), 0);
	assert_true(beneath_remove(arena, world.root, "a"));
	assert_true(beneath_remove(arena, world.root, "out"));
	assert_true(beneath_remove(arena, world.root, "never there"));
	assert_int_equal(fstatat(world.root, "a", &st, 0), -1);
	assert_int_equal(fstatat(world.top, "outside/keep", &st, 0), 0);
	end_world(arena, &world);
}

/*
 * D1: more levels than a process has descriptors or stack for, and wide ones
 * on the way, so that one comes back to each.
 */
static void
removing_has_no_bottom(struct arena *arena)
{
	enum { LEVELS = 3000 };
	struct world world = make_world();
	int fd = openat(world.root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	for (int i = 0; i < LEVELS; i++) {
		int below;

		assert_int_equal(mkdirat(fd, "d", 0700), 0);
		if (i % 8 == 0) {
			assert_int_equal(mkdirat(fd, "e", 0700), 0);
			assert_int_equal(symlinkat("../..", fd, "l"), 0);
		}
		below = openat(fd, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		assert_true(below >= 0);
		(void)close(fd);
		fd = below;
	}
	(void)close(fd);
	assert_true(beneath_remove(arena, world.root, "d"));
	assert_int_equal(fstatat(world.root, "d", &st, 0), -1);
	end_world(arena, &world);
}

/* ---- others are at work there, too ---- */

static const char *made_by_others; /* mkdirat finds it there */
static const char *turned;	   /* unlinkat finds a directory there */

int
mkdirat(int dir, const char *name, mode_t mode)
{
	int (*real)(int, const char *, mode_t);
	int done;

	*(void **)&real = dlsym(RTLD_NEXT, "mkdirat");
	done = real(dir, name, mode);
	if (made_by_others != NULL && strcmp(name, made_by_others) == 0) {
		errno = EEXIST;
		return -1;
	}
	return done;
}

int
unlinkat(int dir, const char *name, int flags)
{
	int (*real)(int, const char *, int);

	*(void **)&real = dlsym(RTLD_NEXT, "unlinkat");
	if (turned != NULL && strcmp(name, turned) == 0) {
		errno = EISDIR;
		return -1;
	}
	return real(dir, name, flags);
}

static void
somebody_makes_it_first(struct arena *arena)
{
	struct world world = make_world();
	struct beneath place;

	made_by_others = "x";
	assert_true(
	    beneath_go(arena, world.root, SPAN("x/y"), BENEATH_MAKE, &place));
	made_by_others = NULL;
	beneath_close(&place);
	end_world(arena, &world);
}

/* It was a directory a moment ago, and is a link that leads out. */
static void
a_directory_that_turns_into_a_link(struct arena *arena)
{
	struct world world = make_world();
	struct stat st;
	int fd = openat(world.top, "outside/keep", O_CREAT | O_WRONLY, 0600);

	(void)close(fd);
	turned = "out";
	assert_false(beneath_remove(arena, world.root, "out"));
	/* The same further down: the removal ends there. */
	assert_int_equal(symlinkat("../../outside", world.root, "a/out"), 0);
	assert_false(beneath_remove(arena, world.root, "a"));
	turned = NULL;
	assert_int_equal(fstatat(world.top, "outside/keep", &st, 0), 0);
	end_world(arena, &world);
}

/* 0 is a descriptor like any other; and none is made up. */
static void
without_an_input(struct arena *arena)
{
	struct world world = make_world();
	struct beneath place;

	assert_int_equal(dup2(open("/dev/null", O_RDONLY), 0), 0);
	(void)close(0);
	assert_true(
	    beneath_go(arena, world.root, SPAN("p/q/r"), BENEATH_MAKE, &place));
	beneath_close(&place);
	(void)open("/dev/null", O_RDONLY);
	end_world(arena, &world);
}

static void
nothing_can_be_made_in_what_is_gone(struct arena *arena)
{
	struct world world = make_world();
	struct beneath place;
	int gone;

	assert_int_equal(mkdirat(world.root, "gone", 0700), 0);
	gone = openat(world.root, "gone", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(unlinkat(world.root, "gone", AT_REMOVEDIR), 0);
	assert_false(
	    beneath_go(arena, gone, SPAN("x/y/z"), BENEATH_MAKE, &place));
	assert_int_equal(errno, ENOENT);
	(void)close(gone);
	end_world(arena, &world);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(no_name_leads_out),
	    TEST(missing_directories_are_made_if_wanted),
	    TEST(somebody_makes_it_first),
	    TEST(a_directory_that_turns_into_a_link),
	    TEST(without_an_input),
	    TEST(nothing_can_be_made_in_what_is_gone),
	    TEST(removing_follows_no_link),
	    TEST(removing_has_no_bottom),
	};

	return RUN_TESTS(tests);
}
