#include "unit_dir.h"

#include <dlfcn.h>
#include <sys/file.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "os/locks.h"

/* What is read in the place of the system's list of locks; NULL: that list. */
static const char *system_says;

FILE *
fopen(const char *path, const char *mode)
{
	FILE *(*real)(const char *, const char *);

	*(void **)&real = dlsym(RTLD_NEXT, "fopen");
	if (system_says != NULL && strcmp(path, "/proc/locks") == 0)
		path = system_says;
	return real(path, mode);
}

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

/* Lines that we do not expect name nobody, and do not hide the others. */
static void
odd_lines_name_nobody(struct arena *arena)
{
	static const char *const odd[] = {"", "1:", "1: ->", "1: FLOCK",
	    "1: FLOCK  ADVISORY", "1: FLOCK  ADVISORY  WRITE",
	    "1: FLOCK  ADVISORY  WRITE 7", "1: FLOCK  ADVISORY  WRITE 7 ",
	    "1: FLOCK  ADVISORY  WRITE 7 <none>:0 EOF",
	    "1: FLOCK  ADVISORY  WRITE 7 08", "1: FLOCK  ADVISORY  WRITE 7 08:",
	    "1: FLOCK  ADVISORY  WRITE 7 08:01", "no lock"};
	const char *path = unit_path(arena, "odd");
	struct buf text = buf_new(arena, 1024);
	struct stat st;
	char line[128];
	bool named;
	int fd;

	unit_write_file(path, SPAN("x"));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(fstat(fd, &st), 0);
	for (size_t i = 0; i < COUNT_OF(odd); i++) {
		buf_str(&text, odd[i]);
		buf_char(&text, '\n');
	}
	system_says = unit_path(arena, "locks");
	unit_write_file(system_says, buf_span(&text));
	expected = 7;
	assert_int_equal(locks_find(fd, is_expected, &named), 0);
	assert_false(named);

	(void)snprintf(line, sizeof(line),
	    "2: -> FLOCK  ADVISORY  WRITE 7 %02x:%02x:%lu 0 EOF\n",
	    major(st.st_dev), minor(st.st_dev), (unsigned long)st.st_ino);
	buf_str(&text, line);
	unit_write_file(system_says, buf_span(&text));
	assert_int_equal(locks_find(fd, is_expected, &named), 0);
	assert_false(named); /* it only waits */

	(void)snprintf(line, sizeof(line),
	    "3: FLOCK  ADVISORY  WRITE 7 %02x:%02x:%lu 0 EOF\n",
	    major(st.st_dev), minor(st.st_dev), (unsigned long)st.st_ino);
	buf_str(&text, line);
	unit_write_file(system_says, buf_span(&text));
	assert_int_equal(locks_find(fd, is_expected, &named), 7);
	assert_true(named);
	system_says = NULL;
	(void)close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(the_holder_of_this_file_is_found),
	    TEST(odd_lines_name_nobody),
	};

	return RUN_TESTS_IN_DIR(tests);
}
