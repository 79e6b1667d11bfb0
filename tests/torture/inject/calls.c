#include "calls.h"

#include <stddef.h>
#include <sys/syscall.h>

struct known {
	unsigned long long number;
	struct call call;
};

#define ORDINARY(name, path, count)                                            \
	{                                                                      \
		SYS_##name,                                                    \
		{                                                              \
#name, CALL_ORDINARY, path, count                      \
		}                                                              \
	}
#define OTHER(name, nature)                                                    \
	{                                                                      \
		SYS_##name,                                                    \
		{                                                              \
#name, nature, -1, -1                                  \
		}                                                              \
	}

static const struct known known[] = {
    ORDINARY(access, 0, -1),
    ORDINARY(chdir, 0, -1),
    ORDINARY(clone, -1, -1),
    ORDINARY(copy_file_range, -1, 4),
    ORDINARY(dup, -1, -1),
    ORDINARY(dup2, -1, -1),
    ORDINARY(execve, 0, -1),
    ORDINARY(faccessat, 1, -1),
    ORDINARY(fchmod, -1, -1),
    ORDINARY(fcntl, -1, -1),
    ORDINARY(fdatasync, -1, -1),
    ORDINARY(flock, -1, -1),
    ORDINARY(fstat, -1, -1),
    ORDINARY(fsync, -1, -1),
    ORDINARY(ftruncate, -1, -1),
    ORDINARY(futex, -1, -1),
    ORDINARY(getcwd, -1, -1),
    ORDINARY(getdents64, -1, -1),
    ORDINARY(getrandom, -1, 1),
    ORDINARY(ioctl, -1, -1),
    ORDINARY(linkat, 1, -1),
    ORDINARY(lseek, -1, -1),
    ORDINARY(lstat, 0, -1),
    ORDINARY(madvise, -1, -1),
    ORDINARY(mkdir, 0, -1),
    ORDINARY(mkdirat, 1, -1),
    ORDINARY(mmap, -1, -1),
    ORDINARY(mprotect, -1, -1),
    ORDINARY(mremap, -1, -1),
    ORDINARY(munmap, -1, -1),
    ORDINARY(newfstatat, 1, -1),
    ORDINARY(open, 0, -1),
    ORDINARY(openat, 1, -1),
    ORDINARY(pipe2, -1, -1),
    ORDINARY(poll, -1, -1),
    ORDINARY(prctl, -1, -1),
    ORDINARY(pread64, -1, 2),
    ORDINARY(pwrite64, -1, 2),
    ORDINARY(read, -1, 2),
    ORDINARY(readlink, 0, -1),
    ORDINARY(readlinkat, 1, -1),
    ORDINARY(renameat, 1, -1),
    ORDINARY(renameat2, 1, -1),
    ORDINARY(seccomp, -1, -1),
    ORDINARY(stat, 0, -1),
    ORDINARY(statx, 1, -1),
    ORDINARY(symlinkat, 0, -1),
    ORDINARY(unlink, 0, -1),
    ORDINARY(unlinkat, 1, -1),
    ORDINARY(utimensat, 1, -1),
    ORDINARY(vfork, -1, -1),
    ORDINARY(wait4, -1, -1),
    ORDINARY(write, -1, 2),
    OTHER(brk, CALL_BREAK),
    OTHER(close, CALL_HAPPENS),
    OTHER(exit, CALL_CERTAIN),
    OTHER(exit_group, CALL_CERTAIN),
    OTHER(getegid, CALL_CERTAIN),
    OTHER(geteuid, CALL_CERTAIN),
    OTHER(getgid, CALL_CERTAIN),
    OTHER(getpid, CALL_CERTAIN),
    OTHER(getppid, CALL_CERTAIN),
    OTHER(gettid, CALL_CERTAIN),
    OTHER(getuid, CALL_CERTAIN),
    OTHER(rt_sigreturn, CALL_CERTAIN),
    OTHER(umask, CALL_CERTAIN),
};

struct call
call_of(unsigned long long number)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].number == number)
			return known[i].call;
	return (struct call){"another", CALL_ORDINARY, -1, -1};
}
