#include "unit_dir.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/slurp.h"
#include "host/pi/session_file.h"
#include "os/confine.h"
#include "serve/serve.h"

enum { LARGE_LINES = 3000 };
enum { CANNOT = 77 }; /* this system, or this build, has no such thing */
#ifdef __SANITIZE_ADDRESS__
#define CANNOT_WHY "a sanitizer needs what a confined process is refused"
#else
#define CANNOT_WHY "the kernel sets no filter"
#endif

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

/* F7.4: a signal by way of a descriptor: whose owner is told, and by which. */
static int
try_descriptors(const char *dir)
{
	static const int commands[] = {F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETFL,
	    F_SETLEASE, F_NOTIFY, F_DUPFD, F_SETLK, F_GETOWN};
	int fd = open(dir, O_RDONLY | O_DIRECTORY);

	for (int i = 0; i < (int)COUNT_OF(commands); i++)
		if (!is_refused(fcntl(fd, commands[i], 0)))
			return 1 + i;
	if (fcntl(fd, F_GETFL) < 0 || fcntl(fd, F_GETFD) < 0)
		return 20;
	return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 ? 0 : 21;
}

/* F7.5: what is made, or is there, is opened to nobody and runs as nobody. */
static int
try_modes(const char *dir)
{
	static const mode_t modes[] = {
	    0644, 0640, 0606, 0777, 04700, 02700, 01700, 04755};
	char name[512];
	int fd;

	(void)snprintf(name, sizeof(name), "%s/private", dir);
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		return 1;
	(void)snprintf(name, sizeof(name), "%s/open", dir);
	for (int i = 0; i < (int)COUNT_OF(modes); i++) {
		if (!is_refused(fchmod(fd, modes[i])))
			return 10 + i;
		if (!is_refused(
			open(name, O_WRONLY | O_CREAT | O_EXCL, modes[i])))
			return 30 + i;
	}
	return fchmod(fd, 0600) == 0 && fchmod(fd, 0700) == 0 ? 0 : 2;
}

/* The calls that are not refused whatever they are given, SPEC 12. */
static bool
is_needed(long number)
{
	static const long needed[] = {SYS_read, SYS_write, SYS_openat,
	    SYS_close, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_lseek,
	    SYS_pread64, SYS_pwrite64, SYS_writev, SYS_readlinkat,
	    SYS_faccessat, SYS_faccessat2, SYS_getdents64, SYS_fcntl,
	    SYS_getcwd,
#ifdef SYS_open
	    SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink,
#endif
	    SYS_mkdirat, SYS_unlinkat, SYS_renameat, SYS_renameat2, SYS_fchmod,
	    SYS_utimensat, SYS_umask, SYS_ftruncate, SYS_flock, SYS_getrandom,
	    SYS_geteuid, SYS_getuid, SYS_brk, SYS_mmap, SYS_mprotect,
	    SYS_munmap, SYS_mremap, SYS_madvise, SYS_clock_gettime,
	    SYS_gettimeofday, SYS_futex, SYS_sysinfo, SYS_exit, SYS_exit_group,
	    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,
	    SYS_restart_syscall, SYS_getpid, SYS_gettid, SYS_tgkill};

	for (size_t i = 0; i < COUNT_OF(needed); i++)
		if (needed[i] == number)
			return true;
	return false;
}

enum { CALLS = 1024, X32 = 0x40000000 };

/* The kernel's own traps (uretprobe, uprobe) pass by all filters by design. */
static bool
is_trap(long number)
{
#ifdef __x86_64__
	return number == 335 || number == 336;
#else
	(void)number;
	return false;
#endif
}

/* F7.6: the number of the first that was not refused, in a file: too large. */
static int
try_numbers(const char *dir)
{
	char name[512], found[32];
	long first = -1;
	int fd;

	for (long n = 0; n < CALLS && first < 0; n++)
		if (!is_needed(n) && !is_trap(n) &&
		    !is_refused(syscall(n, 0, 0, 0, 0, 0, 0)))
			first = n;
#ifdef __x86_64__
	/* Nor by the numbers of the other ABI, those of needed calls included. */
	for (long n = 0; n < CALLS && first < 0; n++)
		if (!is_trap(n) &&
		    !is_refused(syscall(X32 | n, 0, 0, 0, 0, 0, 0)))
			first = X32 | n;
#endif
	if (first < 0)
		return 0;
	(void)snprintf(name, sizeof(name), "%s/first", dir);
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
	(void)!write(fd, found,
	    (size_t)snprintf(found, sizeof(found), "%ld", first));
	return 1;
}

#ifdef __x86_64__
/* F7.7: a call as a program of 32 bits makes it: 20 is its getpid. */
static int
try_old_calls(const char *dir)
{
	long result = 20;

	(void)dir;
	__asm__ volatile("int $0x80" : "+a"(result) : : "memory");
	return (int)result == -EPERM ? 0 : 1;
}
#endif

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
		SKIP(CANNOT_WHY);
	assert_int_equal(status, 0);
}

static void
f7_only_new_files_are_written(struct arena *arena)
{
	int status;

	unit_write_file(unit_path(arena, "there"), SPAN("mine"));
	status = confined(try_writing, unit_path(arena, "."));
	if (status == CANNOT)
		SKIP(CANNOT_WHY);
	assert_int_equal(status, 0);
}

static void
f7_signals_reach_nobody_else(struct arena *arena)
{
	int status = confined(try_signals, unit_path(arena, "."));

	if (status == CANNOT)
		SKIP(CANNOT_WHY);
	assert_int_equal(status, 0);
}

static void
f7_descriptors_signal_nobody(struct arena *arena)
{
	int status = confined(try_descriptors, unit_path(arena, "."));

	if (status == CANNOT)
		SKIP(CANNOT_WHY);
	assert_int_equal(status, 0);
}

static void
f7_modes_stay_private(struct arena *arena)
{
	int status = confined(try_modes, unit_path(arena, "."));

	if (status == CANNOT)
		SKIP(CANNOT_WHY);
	assert_int_equal(status, 0);
}

static void
f7_every_other_call_is_refused(struct arena *arena)
{
	int status = confined(try_numbers, unit_path(arena, "."));
	struct span first = SPAN("");
	int fd = open(unit_path(arena, "first"), O_RDONLY);

	if (status == CANNOT)
		SKIP(CANNOT_WHY);
	if (fd >= 0) {
		assert_int_equal(slurp(arena, fd, 64, &first), SLURP_OK);
		(void)close(fd);
	}
	assert_string_equal(arena_cstr(arena, first), "");
	assert_int_equal(status, 0);
}

static void
f7_calls_of_32_bits_are_refused(struct arena *arena)
{
#ifdef __x86_64__
	const char *dir = unit_path(arena, ".");
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0)
		_exit(confine() ? try_old_calls(dir) : CANNOT);
	assert_int_equal(waitpid(child, &status, 0), child);
	/* A kernel without such programs ends those who try it. */
	if (WIFSIGNALED(status))
		SKIP("the kernel runs no programs of 32 bits");
	if (WEXITSTATUS(status) == CANNOT)
		SKIP(CANNOT_WHY);
	assert_int_equal(WEXITSTATUS(status), 0);
#else
	(void)arena;
	SKIP("only x86-64 has calls of 32 bits");
#endif
}

static void
f7_whether_it_works_can_be_asked(struct arena *arena)
{
	(void)arena;
	if (!confine_works())
		SKIP(CANNOT_WHY);
	/* And this process is as free as before. */
	assert_true(kill(getpid(), 0) == 0);
}

/* As in a container whose own filter lets nobody set another one. */
static bool
forbid_filters(void)
{
	struct sock_filter filter[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 3, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		offsetof(struct seccomp_data, args[0])),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {
	    .len = COUNT_OF(filter), .filter = filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void
f7_where_it_cannot_be_had_it_is_told(struct arena *arena)
{
	pid_t child = fork();
	int status;

	(void)arena;
	assert_true(child >= 0);
	if (child == 0)
		_exit(!forbid_filters() ? CANNOT : confine_works() ? 1 : 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT)
		SKIP("filters cannot be forbidden here");
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
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
		SKIP(CANNOT_WHY);
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
	struct reader lines;
	struct span line;
	int n = 0;
	char name[512];

	(void)snprintf(name, sizeof(name), "%s/large.jsonl", dir);
	if (arena == NULL || setjmp(*arena_guard(arena)) != 0 ||
	    !session_file_open(arena, span_str(name), &file))
		return 1;
	lines = reader_from_end(arena, file.fd, file.first,
	    (uint64_t)file.st.st_size);
	while (reader_previous(&lines, &line, &place))
		n++;
	return !lines.failed && n == LARGE_LINES && lines.alone ? 0 : 2;
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
		SKIP(CANNOT_WHY);
	assert_int_equal(status, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_but_files_is_refused),
		TEST(f7_only_new_files_are_written),
		TEST(f7_signals_reach_nobody_else),
		TEST(f7_descriptors_signal_nobody),
		TEST(f7_modes_stay_private),
		TEST(f7_every_other_call_is_refused),
		TEST(f7_calls_of_32_bits_are_refused),
		TEST(f7_whether_it_works_can_be_asked),
		TEST(f7_where_it_cannot_be_had_it_is_told),
		TEST(requests_are_answered),
		TEST(large_sessions_are_read),
	};

	return RUN_TESTS_IN_DIR(tests);
}
