#include "os/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/sanitized.h"

/* The sanitizer's search for leaks needs calls that are refused here. */
#if defined(__x86_64__) && !SANITIZED
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && !SANITIZED
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#ifdef MACHINE

#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset))
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define REFUSE ANSWER(SECCOMP_RET_ERRNO | EPERM)
#define SKIP_UNLESS(number, n) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(number), 0, (n))

#define ALLOW(call) SKIP_UNLESS(SYS_##call, 1), ANSWER(SECCOMP_RET_ALLOW)

/* Memory that is not executable: the third argument says so. */
#define ALLOW_DATA(call) \
	SKIP_UNLESS(SYS_##call, 4), \
	    LOAD(offsetof(struct seccomp_data, args[2])), \
	    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0), \
	    ANSWER(SECCOMP_RET_ALLOW), REFUSE

/* A file may have rights for its owner only, and no setuid or sticky bit. */
#define OTHERS ((uint32_t)~0700)

/*
 * Open a file.  Argument N has the flags, the next one the mode.  To open for
 * writing is to create a new file.  So nothing that exists is ever opened for
 * writing by its name, which includes /proc/self/mem and our own code in it.
 */
#define MAY_WRITE (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_TMPFILE)
#define IS_NEW (O_CREAT | O_EXCL)
#define ALLOW_OPEN(call, n) \
	SKIP_UNLESS(SYS_##call, 8), \
	    LOAD(offsetof(struct seccomp_data, args[n])), \
	    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, \
		(uint32_t)(MAY_WRITE & ~O_DIRECTORY), 0, 4), \
	    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, IS_NEW), \
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, IS_NEW, 0, 3), \
	    LOAD(offsetof(struct seccomp_data, args[(n) + 1])), \
	    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, OTHERS, 1, 0), \
	    ANSWER(SECCOMP_RET_ALLOW), REFUSE

/* No file is opened to others, or made to run as this user (setuid). */
#define ALLOW_PRIVATE_MODE(call, n) \
	SKIP_UNLESS(SYS_##call, 4), \
	    LOAD(offsetof(struct seccomp_data, args[n])), \
	    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, OTHERS, 1, 0), \
	    ANSWER(SECCOMP_RET_ALLOW), REFUSE

/*
 * What opendir needs.  Other fcntl calls could send a signal to any process
 * when a descriptor becomes readable (F_SETOWN, F_SETSIG).
 */
#define ALLOW_FCNTL \
	SKIP_UNLESS(SYS_fcntl, 6), \
	    LOAD(offsetof(struct seccomp_data, args[1])), \
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETFL, 2, 0), \
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETFD, 1, 0), \
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETFD, 0, 1), \
	    ANSWER(SECCOMP_RET_ALLOW), REFUSE

/* A signal to this process only.  confine puts in the process id. */
#define ALLOW_TO_OURSELVES(call) \
	SKIP_UNLESS(SYS_##call, 4), \
	    LOAD(offsetof(struct seccomp_data, args[0])), \
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_PID, 0, 1), \
	    ANSWER(SECCOMP_RET_ALLOW), REFUSE
#define OUR_PID 0xffffffffu /* a process id that nobody has */

/* The calls that every read makes come first. */
static const struct sock_filter filter[] = {
    LOAD(offsetof(struct seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0),
    REFUSE,
    LOAD(offsetof(struct seccomp_data, nr)),
    /* files */
    ALLOW(read),
    ALLOW(write),
    ALLOW_OPEN(openat, 2),
    ALLOW(close),
    ALLOW(fstat),
    ALLOW(newfstatat),
    ALLOW(statx),
    ALLOW(lseek),
    ALLOW(pread64),
    ALLOW(pwrite64),
    ALLOW(writev),
    ALLOW(readlinkat),
    ALLOW(faccessat),
    ALLOW(faccessat2),
    ALLOW(getdents64),
    ALLOW_FCNTL,
    ALLOW(getcwd),
#ifdef SYS_open /* their older forms */
    ALLOW_OPEN(open, 1),
    ALLOW(stat),
    ALLOW(lstat),
    ALLOW(access),
    ALLOW(readlink),
#endif
    /* the store */
    ALLOW(mkdirat),
    ALLOW(unlinkat),
    ALLOW(renameat),
    ALLOW(renameat2),
    ALLOW_PRIVATE_MODE(fchmod, 1),
    ALLOW(utimensat),
    ALLOW(umask),
    ALLOW(ftruncate),
    ALLOW(flock),
    ALLOW(getrandom),
    ALLOW(geteuid),
    ALLOW(getuid),
    /* memory and time */
    ALLOW(brk),
    ALLOW_DATA(mmap),
    ALLOW_DATA(mprotect),
    ALLOW(munmap),
    ALLOW(mremap),
    ALLOW(madvise),
    ALLOW(clock_gettime),
    ALLOW(gettimeofday),
    ALLOW(futex),
    ALLOW(sysinfo), /* qsort asks how much memory the system has */
    /* exiting, also because of a signal */
    ALLOW(exit),
    ALLOW(exit_group),
    ALLOW(rt_sigaction),
    ALLOW(rt_sigprocmask),
    ALLOW(rt_sigreturn),
    ALLOW(restart_syscall),
    ALLOW(getpid),
    ALLOW(gettid),
    ALLOW_TO_OURSELVES(tgkill),
    REFUSE,
};

bool
confine(void)
{
	enum { LENGTH = sizeof(filter) / sizeof(filter[0]) };
	struct sock_filter ours[LENGTH];
	const struct sock_fprog program = {.len = LENGTH, .filter = ours};

	for (size_t i = 0; i < LENGTH; i++) {
		ours[i] = filter[i];
		if (ours[i].k == OUR_PID)
			ours[i].k = (uint32_t)getpid();
	}
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#else

bool
confine(void)
{
	return false;
}

#endif

bool
confine_works(void)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		_exit(confine() ? 0 : 1);
	while (child > 0 && waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
