#include "unit_dir.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/slurp.h"
#include "flow/confine.h"
#include "flow/serve.h"
#include "wire/session_file.h"

enum { LARGE_LINES = 3000 };
enum { CANNOT = 77 }; /* this system, or this build, has no such thing */

/* Run BODY in a process of its own, confined; its exit status. */
static int
confined(int (*body)(const char *dir), const char *dir)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0)
		_exit(confine() ? body(dir) : CANNOT);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static bool
is_refused(long result)
{
	return result == -1 && errno == EPERM;
}

/* The number of the first thing that was possible all the same. */
static int
try_all(const char *dir)
{
	char *const none[] = {NULL};
	char name[512];

	if (!is_refused(socket(AF_INET, SOCK_STREAM, 0)))
		return 1;
	if (!is_refused(socket(AF_UNIX, SOCK_STREAM, 0)))
		return 2;
	if (!is_refused(execve("/bin/true", none, none)))
		return 3;
	if (!is_refused(fork()))
		return 4;
	if (!is_refused(ptrace(PTRACE_TRACEME, 0, NULL, NULL)))
		return 5;
	if (!is_refused((long)mmap(NULL, 4096, PROT_READ | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)))
		return 6;
	if (!is_refused(kill(getppid(), 0)))
		return 7;
	(void)snprintf(name, sizeof(name), "%s/planted", dir);
	if (!is_refused(symlink("/", name)))
		return 8;
	if (!is_refused(mknod(name, S_IFIFO | 0600, 0)))
		return 9;
	return 0;
}

/* F7: one by one; the number of the first that was possible all the same. */
static int
try_writing(const char *dir)
{
	static const int flags[] = {O_WRONLY, O_RDWR, O_RDONLY | O_TRUNC,
	    O_WRONLY | O_CREAT, O_RDWR | O_CREAT | O_TRUNC, O_RDONLY | O_CREAT,
	    O_WRONLY | O_EXCL, O_WRONLY | O_APPEND, O_RDWR | O_CLOEXEC};
	char name[512];

	(void)snprintf(name, sizeof(name), "%s/there", dir);
	for (int i = 0; i < (int)COUNT_OF(flags); i++) {
		if (!is_refused(open("/proc/self/mem", flags[i], 0600)))
			return 10 + i;
		if (!is_refused(open(name, flags[i], 0600)))
			return 30 + i;
		if (!is_refused(syscall(SYS_openat, AT_FDCWD, name, flags[i],
			0600)))
			return 50 + i;
	}
	if (!is_refused(open(dir, O_TMPFILE | O_RDWR, 0600)))
		return 70;
	if (open(name, O_RDONLY) < 0 || open(dir, O_RDONLY | O_DIRECTORY) < 0)
		return 71;
	(void)snprintf(name, sizeof(name), "%s/not-there", dir);
	return open(name, O_WRONLY | O_CREAT | O_EXCL, 0600) >= 0 ? 0 : 72;
}

static int
try_signals(const char *dir)
{
	pid_t parent = getppid(), self = getpid();

	(void)dir;
	if (!is_refused(syscall(SYS_tgkill, parent, parent, 0)))
		return 1;
	if (!is_refused(syscall(SYS_tgkill, 1, 1, 0)))
		return 2;
	if (!is_refused(syscall(SYS_tgkill, -1, self, 0)))
		return 3;
	if (!is_refused(syscall(SYS_tkill, parent, 0)))
		return 4;
	return syscall(SYS_tgkill, self, self, 0) == 0 ? 0 : 5;
}

static int
answer_one(const char *dir)
{
	char name[512];
	int in;

	(void)snprintf(name, sizeof(name), "%s/request", dir);
	in = open(name, O_RDONLY);
	(void)snprintf(name, sizeof(name), "%s/answer", dir);
	return in >= 0 ? serve_lines(in, open(name, O_WRONLY | O_CREAT | O_EXCL, 0600))
		       : CANNOT + 1;
}

static void
all_but_files_is_refused(struct arena *arena)
{
	int status = confined(try_all, unit_path(arena, "."));

	if (status == CANNOT)
		skip();
	assert_int_equal(status, 0);
}

static void
f7_only_new_files_are_written(struct arena *arena)
{
	int status;

	unit_write_file(unit_path(arena, "there"), SPAN("mine"));
	status = confined(try_writing, unit_path(arena, "."));
	if (status == CANNOT)
		skip();
	assert_int_equal(status, 0);
}

static void
f7_signals_reach_nobody_else(struct arena *arena)
{
	int status = confined(try_signals, unit_path(arena, "."));

	if (status == CANNOT)
		skip();
	assert_int_equal(status, 0);
}

static void
f7_whether_it_works_can_be_asked(struct arena *arena)
{
	(void)arena;
	if (!confine_works())
		skip();
	/* And this process is as free as before. */
	assert_true(kill(getpid(), 0) == 0);
}

static void
requests_are_answered(struct arena *arena)
{
	const char *dir = unit_path(arena, "serving");
	struct buf request = buf_new(arena, 256);
	struct span answer;
	int status, fd;

	assert_int_equal(mkdir(dir, 0755), 0);
	buf_str(&request, "{\"v\":1,\"op\":\"read\",\"cwd\":\"");
	buf_str(&request, dir);
	buf_str(&request, "\",\"params\":{\"path\":\"a.txt\"},"
			  "\"session\":{\"leafId\":null,\"entries\":[]}}\n");
	unit_write_file(unit_path(arena, "serving/a.txt"), SPAN("text\n"));
	unit_write_file(unit_path(arena, "serving/request"),
	    buf_span(&request));
	status = confined(answer_one, dir);
	if (status == CANNOT)
		skip();
	assert_int_equal(status, 0);
	fd = open(unit_path(arena, "serving/answer"), O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(slurp(arena, fd, 4096, &answer), SLURP_OK);
	(void)close(fd);
	assert_non_null(memmem(answer.p, answer.n, "\"text\\n\"", 8));
	/* It could be kept, too. */
	assert_int_equal(access(unit_path(arena,
			     "serving/.pi/readcache/objects"),
			     F_OK),
	    0);
}

/* All lines of a large file, without somebody who reads ahead; or not. */
static int
count_lines(const char *dir)
{
	struct arena *arena = arena_new(UNIT_ARENA);
	struct session_place place;
	struct session_file file;
	struct span line;
	int n = 0;
	char name[512];

	(void)snprintf(name, sizeof(name), "%s/large.jsonl", dir);
	if (arena == NULL || setjmp(*arena_guard(arena)) != 0 ||
	    !session_file_open(arena, span_str(name), &file))
		return 1;
	while (session_file_before(&file, &line, &place))
		n++;
	return !file.failed && n == LARGE_LINES && file.alone ? 0 : 2;
}

static void
large_sessions_are_read(struct arena *arena)
{
	const char *dir = unit_path(arena, "large");
	struct buf bytes = buf_new(arena, 16 * 1024 * 1024);
	int status;

	assert_int_equal(mkdir(dir, 0755), 0);
	buf_str(&bytes, "{\"type\":\"session\",\"id\":\"s\"}\n");
	for (int i = 0; i < LARGE_LINES; i++) {
		buf_add(&bytes, unit_repeat(arena, SPAN("x"), 5000));
		buf_char(&bytes, '\n');
	}
	unit_write_file(unit_path(arena, "large/large.jsonl"),
	    buf_span(&bytes));
	status = confined(count_lines, dir);
	if (status == CANNOT)
		skip();
	assert_int_equal(status, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_but_files_is_refused),
		TEST(f7_only_new_files_are_written),
		TEST(f7_signals_reach_nobody_else),
		TEST(f7_whether_it_works_can_be_asked),
		TEST(requests_are_answered),
		TEST(large_sessions_are_read),
	};

	return RUN_TESTS_IN_DIR(tests);
}
