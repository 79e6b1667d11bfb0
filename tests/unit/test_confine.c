#include "unit_dir.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
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

static int
answer_one(const char *dir)
{
	char name[512];
	int in;

	(void)snprintf(name, sizeof(name), "%s/request", dir);
	in = open(name, O_RDONLY);
	(void)snprintf(name, sizeof(name), "%s/answer", dir);
	return in >= 0 ? serve_lines(in, open(name, O_WRONLY | O_CREAT, 0600))
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
		TEST(requests_are_answered),
		TEST(large_sessions_are_read),
	};

	return RUN_TESTS_IN_DIR(tests);
}
