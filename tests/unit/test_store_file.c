#include "unit_dir.h"

#include "store/file.h"

/* A file of a store, open, and the directory that it is in. */
struct world {
	int dir, fd;
	struct stat st;
	const char *path, *other;
};

static struct world
make_world(struct arena *arena, const char *name)
{
	struct world w = {.path = unit_path(arena, name)};
	struct buf other = buf_new(arena, 256);

	buf_str(&other, w.path);
	buf_str(&other, ".other");
	w.other = arena_cstr(arena, buf_span(&other));
	unit_write_file(w.path, SPAN("text"));
	w.dir = open(unit_base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(w.dir >= 0);
	w.fd = file_open(w.dir, name);
	assert_true(w.fd >= 0);
	assert_int_equal(fstat(w.fd, &w.st), 0);
	return w;
}

static void
end(struct world *w)
{
	assert_int_equal(close(w->fd), 0);
	assert_int_equal(close(w->dir), 0);
}

static void
one_name_is_alone(struct arena *arena)
{
	struct world w = make_world(arena, "one");

	assert_true(file_is_alone(w.dir, "one", &w.st));
	assert_false(file_is_alone(w.dir, "none", &w.st));
	end(&w);
}

static void
a_second_name_is_not(struct arena *arena)
{
	struct world w = make_world(arena, "two");

	assert_int_equal(link(w.path, w.other), 0);
	assert_false(file_is_alone(w.dir, "two", &w.st));
	/* It has one name again, but the facts from before still hold. */
	assert_int_equal(unlink(w.other), 0);
	assert_true(file_is_alone(w.dir, "two", &w.st));
	end(&w);
}

/* The user's file was put at the name, opened, and taken away again. */
static void
a_name_that_was_lost_is_not(struct arena *arena)
{
	struct world w = make_world(arena, "lost");

	assert_int_equal(rename(w.path, w.other), 0);
	assert_false(file_is_alone(w.dir, "lost", &w.st));
	unit_write_file(w.path, SPAN("text"));
	assert_false(file_is_alone(w.dir, "lost", &w.st));
	assert_int_equal(unlink(w.path), 0);
	assert_int_equal(symlink(w.other, w.path), 0);
	assert_false(file_is_alone(w.dir, "lost", &w.st));
	end(&w);
}

static void
what_is_no_file_is_not_ours(struct arena *arena)
{
	const char *path = unit_path(arena, "dir");
	struct stat st;
	int dir = open(unit_base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_false(file_is_ours(&st));
	assert_false(file_is_alone(dir, "dir", &st));
	assert_int_equal(close(dir), 0);
}

static void
another_users_file_is_not_ours(struct arena *arena)
{
	struct world w = make_world(arena, "theirs");

	if (geteuid() != 0)
		SKIP("only root can give things away");
	assert_true(file_is_ours(&w.st));
	assert_int_equal(fchown(w.fd, 65534, 65534), 0);
	assert_int_equal(fstat(w.fd, &w.st), 0);
	assert_false(file_is_ours(&w.st));
	assert_false(file_is_alone(w.dir, "theirs", &w.st));
	end(&w);
}

/* Nobody writes to the pipe, and nothing is at the end of the link. */
static void
no_open_waits_or_follows(struct arena *arena)
{
	const char *pipe = unit_path(arena, "pipe");
	const char *link = unit_path(arena, "link");
	int dir = open(unit_base, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd;

	assert_int_equal(mkfifo(pipe, 0600), 0);
	assert_int_equal(symlink(pipe, link), 0);
	fd = file_open(dir, "pipe");
	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
	assert_int_equal(file_open(dir, "link"), -1);
	assert_int_equal(close(dir), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(one_name_is_alone),
	    TEST(a_second_name_is_not),
	    TEST(a_name_that_was_lost_is_not),
	    TEST(what_is_no_file_is_not_ours),
	    TEST(another_users_file_is_not_ours),
	    TEST(no_open_waits_or_follows),
	};

	return RUN_TESTS_IN_DIR(tests);
}
