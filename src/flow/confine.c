#include "flow/confine.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "base/sanitized.h"

/* The sanitizer looks for leaks by means that are refused here. */
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

/* Memory, unless it can be executed: the third argument tells. */
#define ALLOW_DATA(call) \
	SKIP_UNLESS(SYS_##call, 4), \
	    LOAD(offsetof(struct seccomp_data, args[2])), \
	    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0), \
	    ANSWER(SECCOMP_RET_ALLOW), REFUSE

/* The calls of every read come first. */
static const struct sock_filter filter[] = {
    LOAD(offsetof(struct seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0),
    REFUSE,
    LOAD(offsetof(struct seccomp_data, nr)),
    /* files */
    ALLOW(read),
    ALLOW(write),
    ALLOW(openat),
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
    ALLOW(fcntl),
    ALLOW(getcwd),
#ifdef SYS_open /* their older forms */
    ALLOW(open),
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
    ALLOW(fchmod),
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
    ALLOW(sysinfo), /* qsort asks how much memory there is */
    /* the end, also by a signal */
    ALLOW(exit),
    ALLOW(exit_group),
    ALLOW(rt_sigaction),
    ALLOW(rt_sigprocmask),
    ALLOW(rt_sigreturn),
    ALLOW(restart_syscall),
    ALLOW(getpid),
    ALLOW(gettid),
    ALLOW(tgkill),
    REFUSE,
};

bool
confine(void)
{
	const struct sock_fprog program = {
	    .len = sizeof(filter) / sizeof(filter[0]),
	    .filter = (struct sock_filter *)(uintptr_t)filter,
	};

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
