/*
 * What a system may lack.  The same tests run with the plain twin
 * (twin.test_os): all that a header promises of both.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/bytes.h"
#include "os/channel.h"
#include "os/descriptor.h"
#include "os/fold.h"
#include "os/open.h"
#include "os/poll.h"
#include "os/process.h"
#include "os/random.h"
#include "os/rename.h"
#include "os/start.h"
#include "unit_dir.h"

extern char **environ;

static void
bytes_are_found(struct arena *arena)
{
	const char *text = "aXbXc";

	(void)arena;
	assert_ptr_equal(bytes_last(text, 'X', 5), text + 3);
	assert_ptr_equal(bytes_last(text, 'X', 3), text + 1);
	assert_ptr_equal(bytes_last(text, 'a', 5), text);
	assert_null(bytes_last(text, 'X', 1));
	assert_null(bytes_last(text, 'X', 0));
	assert_non_null(bytes_last("\xff", 0xff, 1));
	assert_ptr_equal(bytes_find(text, 5, "Xc", 2), text + 3);
	assert_ptr_equal(bytes_find(text, 5, "aXbXc", 5), text);
	assert_ptr_equal(bytes_find(text, 5, "", 0), text);
	assert_null(bytes_find(text, 4, "Xc", 2));
	assert_null(bytes_find(text, 5, "aXbXcd", 6));
	assert_null(bytes_find(text, 0, "a", 1));
}

static void
random_bytes_differ(struct arena *arena)
{
	unsigned char one[16] = {0}, other[16] = {0};

	(void)arena;
	assert_true(random_fill(one, sizeof(one)));
	assert_true(random_fill(other, sizeof(other)));
	assert_memory_not_equal(one, other, sizeof(one));
	assert_true(random_try(one, sizeof(one)));
	assert_true(random_key(one));
}

static int
open_top(struct arena *arena)
{
	return open(unit_path(arena, "."), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void
no_name_leads_out(struct arena *arena)
{
	static const char *const outside[] = {
	    "..", "d/../..", "out", "out/x", "/", "d//", "d/.."};
	int top = open_top(arena), fd;

	assert_int_equal(mkdirat(top, "d", 0700), 0);
	assert_int_equal(mkdirat(top, "d/e", 0700), 0);
	assert_int_equal(symlinkat("..", top, "out"), 0);
	for (size_t i = 0; i < COUNT_OF(outside); i++) {
		fd = open_by_steps(top, outside[i]);
		CHECK(fd < 0, "%s", outside[i]);
	}
	assert_int_equal(open_beneath(top, ".."), -1);
	assert_int_equal(open_beneath(top, "out"), -1);
	fd = open_beneath(top, "d/e");
	assert_true(fd >= 0);
	(void)close(fd);
	fd = open_by_steps(top, "d/e");
	assert_true(fd >= 0);
	(void)close(fd);
	(void)close(top);
}

static void
renaming_replaces_nothing(struct arena *arena)
{
	bool (*const ways[])(int, const char *, const char *) = {
	    rename_new, rename_by_steps};
	int top = open_top(arena);
	struct stat st;

	for (size_t i = 0; i < COUNT_OF(ways); i++) {
		unit_write_file(unit_path(arena, "one"), SPAN("1"));
		unit_write_file(unit_path(arena, "other"), SPAN("other"));
		assert_false(ways[i](top, "one", "other"));
		assert_int_equal(errno, EEXIST);
		assert_int_equal(fstatat(top, "other", &st, 0), 0);
		assert_int_equal(st.st_size, 5);
		assert_int_equal(unlinkat(top, "other", 0), 0);
		assert_true(ways[i](top, "one", "other"));
		assert_int_equal(fstatat(top, "one", &st, 0), -1);
		assert_int_equal(fstatat(top, "other", &st, 0), 0);
		assert_int_equal(st.st_nlink, 1);
		/* A link is renamed itself, a directory replaces no file. */
		assert_int_equal(symlinkat("nowhere", top, "link"), 0);
		assert_false(ways[i](top, "link", "other"));
		assert_true(ways[i](top, "link", "moved"));
		assert_int_equal(
		    fstatat(top, "moved", &st, AT_SYMLINK_NOFOLLOW), 0);
		assert_true(S_ISLNK(st.st_mode));
		assert_int_equal(mkdirat(top, "dir", 0700), 0);
		assert_false(ways[i](top, "dir", "other"));
		assert_false(ways[i](top, "dir", "moved"));
		assert_true(ways[i](top, "dir", "away"));
		assert_false(ways[i](top, "never there", "x"));
		assert_int_equal(unlinkat(top, "moved", 0), 0);
		assert_int_equal(unlinkat(top, "other", 0), 0);
		assert_int_equal(unlinkat(top, "away", AT_REMOVEDIR), 0);
	}
	(void)close(top);
}

static void
capitals_do_not_count(struct arena *arena)
{
	(void)arena;
	assert_true(fold_match("*.PEM", "a/Key.pem", FOLD_ALL));
	assert_true(fold_match("Secret", "SECRET", FOLD_ALL));
	assert_false(fold_match("secret", "secret/a", FOLD_ALL));
	assert_true(fold_match("secret", "Secret/a/b", FOLD_ABOVE));
	assert_true(fold_match("*/secret", "x/secret/a", FOLD_ABOVE));
	assert_false(fold_match("secret", "secrets/a", FOLD_ABOVE));
	assert_false(fold_match("a/b/c", "a/b", FOLD_ABOVE));
}

static void
a_directory_says_where_it_is(struct arena *arena)
{
	char where[4096], before[4096], after[4096], real[4096];
	int top = open_top(arena);
	size_t n;

	assert_non_null(getcwd(before, sizeof(before)));
	n = descriptor_where(top, where, sizeof(where));
	assert_int_equal(n, strlen(where));
	assert_non_null(realpath(unit_path(arena, "."), real));
	assert_string_equal(where, real);
	assert_int_equal(descriptor_where(top, where, 4), 0);
	assert_non_null(getcwd(after, sizeof(after)));
	assert_string_equal(before, after);
	(void)close(top);
}

/* Run SCRIPT in DIR; what it says, and its exit status or minus an errno. */
static int
run(const char *dir, const char *const *argv, char *said, size_t size)
{
	sigset_t mask;
	int ends[2], status, error;
	struct start start = {argv, environ, dir, {0, 0, 2}, 0, &mask};
	pid_t pid;
	ssize_t n;

	(void)sigemptyset(&mask);
	assert_int_equal(channel_pipe(ends), 0);
	assert_true((fcntl(ends[0], F_GETFD) & FD_CLOEXEC) != 0);
	assert_true((fcntl(ends[1], F_GETFD) & FD_CLOEXEC) != 0);
	start.streams[1] = ends[1];
	error = start_program(&start, &pid);
	(void)close(ends[1]);
	n = read(ends[0], said, size - 1);
	said[n > 0 ? n : 0] = '\0';
	(void)close(ends[0]);
	if (error != 0)
		return -error;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void
programs_are_started(struct arena *arena)
{
	const char *const ok[] = {
	    "sh", "-c", "pwd -P; kill -0 $$; exit 7", NULL};
	const char *const none[] = {"/not/there", NULL};
	char said[4096], real[4096];

	assert_int_equal(run(unit_path(arena, "."), ok, said, sizeof(said)), 7);
	assert_non_null(realpath(unit_path(arena, "."), real));
	assert_memory_equal(said, real, strlen(real));
	assert_int_equal(
	    run(unit_path(arena, "."), none, said, sizeof(said)), -ENOENT);
	assert_int_equal(run("/not/there", ok, said, sizeof(said)), -ENOENT);
}

static void
waiting_ends_in_time(struct arena *arena)
{
	struct timespec soon = {0, 1000000};
	struct pollfd polls[2];
	int ends[2];
	sigset_t mask;

	(void)arena;
	(void)sigemptyset(&mask);
	assert_int_equal(channel_pipe(ends), 0);
	polls[0] = (struct pollfd){ends[0], POLLIN, 0};
	polls[1] = (struct pollfd){-1, POLLIN, 0};
	assert_int_equal(poll_with_mask(polls, 2, &soon, &mask), 0);
	assert_int_equal(write(ends[1], "x", 1), 1);
	assert_int_equal(poll_with_mask(polls, 2, NULL, &mask), 1);
	assert_int_equal(polls[0].revents, POLLIN);
	/* Also by descriptors of any size. */
	polls[1].fd = fcntl(ends[0], F_DUPFD_CLOEXEC, 1030);
	if (polls[1].fd >= 0) {
		assert_int_equal(poll_with_mask(polls, 2, NULL, &mask), 2);
		(void)close(polls[1].fd);
	}
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static volatile sig_atomic_t came;

static void
note(int number)
{
	came = number;
}

static void
a_signal_that_waits_ends_the_wait(struct arena *arena)
{
	struct sigaction action = {.sa_handler = note};
	sigset_t blocked, open_mask;

	(void)arena;
	(void)sigemptyset(&blocked);
	(void)sigaddset(&blocked, SIGUSR1);
	assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
	assert_int_equal(sigprocmask(SIG_BLOCK, &blocked, &open_mask), 0);
	(void)raise(SIGUSR1);
	assert_int_equal(came, 0);
	assert_int_equal(poll_with_mask(NULL, 0, NULL, &open_mask), -1);
	assert_int_equal(errno, EINTR);
	assert_int_equal(came, SIGUSR1);
	(void)sigprocmask(SIG_SETMASK, &open_mask, NULL);
}

static void
a_process_knows_its_parent(struct arena *arena)
{
	struct process_facts facts;

	(void)arena;
	assert_true(process_ask((long)getpid(), &facts));
	assert_int_equal(facts.parent, getppid());
	assert_false(facts.dead);
}

static void
a_nameless_file_has_no_name(struct arena *arena)
{
	int fd = open_nameless();
	struct stat st;

	(void)arena;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "x", 1), 1);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, 1);
	assert_int_equal(st.st_nlink, 0);
	assert_true((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
	(void)close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(bytes_are_found),
	    TEST(random_bytes_differ),
	    TEST(no_name_leads_out),
	    TEST(renaming_replaces_nothing),
	    TEST(capitals_do_not_count),
	    TEST(a_directory_says_where_it_is),
	    TEST(programs_are_started),
	    TEST(waiting_ends_in_time),
	    TEST(a_signal_that_waits_ends_the_wait),
	    TEST(a_process_knows_its_parent),
	    TEST(a_nameless_file_has_no_name),
	};

	return RUN_TESTS_IN_DIR(tests);
}
