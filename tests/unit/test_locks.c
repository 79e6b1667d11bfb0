#include "unit_dir.h"

#include <sys/file.h>
#include <sys/wait.h>

#include "os/locks.h"

static long expected; /* who is looked for */

static bool
is_expected(long pid)
{
	return pid == expected;
}

/* A child that holds a lock on the file PATH until TOLD is closed. */
static pid_t
start_holder(const char *path, int told[2])
{
	int ready[2];
	char byte;
	pid_t child;

	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(told), 0);
	child = fork();
	if (child == 0) {
		int fd = open(path, O_RDWR | O_CLOEXEC);

		(void)close(told[1]);
		if (fd < 0 || flock(fd, LOCK_SH) != 0 ||
		    write(ready[1], "!", 1) != 1 ||
		    read(told[0], &byte, 1) != 0)
			_exit(1);
		_exit(0);
	}
	assert_true(child > 0);
	(void)close(told[0]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	(void)close(ready[0]);
	(void)close(ready[1]);
	return child;
}

static void
the_holder_of_this_file_is_found(struct arena *arena)
{
	const char *path = unit_path(arena, "file");
	const char *other = unit_path(arena, "other");
	int told[2], fd, beside, status;
	bool named = true;
	pid_t child;

	unit_write_file(path, SPAN("x"));
	unit_write_file(other, SPAN("x"));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	beside = open(other, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0 && beside >= 0);
	assert_int_equal(locks_find(fd, is_expected, &named), 0);
	assert_false(named);

	expected = child = start_holder(path, told);
	assert_int_equal(locks_find(fd, is_expected, &named), child);
	assert_true(named);
	/* A lock on another file of the same device is none on this one. */
	assert_int_equal(locks_find(beside, is_expected, &named), 0);
	assert_false(named);
	expected = getpid();
	assert_int_equal(locks_find(fd, is_expected, &named), 0);
	assert_true(named);

	(void)close(told[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(locks_find(fd, is_expected, &named), 0);
	assert_false(named);
	(void)close(fd);
	(void)close(beside);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(the_holder_of_this_file_is_found),
	};

	return RUN_TESTS_IN_DIR(tests);
}
