#include "os/start.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/channel.h"

extern char **environ;

enum { STREAMS = 3 };

/* In the child: become the program.  The result is the errno. */
static int
become(const struct start *start)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};
	int streams[STREAMS];

	if (sigaction(SIGPIPE, &plain, NULL) != 0 ||
	    setpgid(0, start->group) != 0)
		return errno;
	/* Above the three first: they may be in each other's place. */
	for (int i = 0; i < STREAMS; i++)
		if ((streams[i] = fcntl(
			 start->streams[i], F_DUPFD_CLOEXEC, STREAMS)) < 0)
			return errno;
	for (int i = 0; i < STREAMS; i++)
		if (dup2(streams[i], i) < 0)
			return errno;
	if (chdir(start->cwd) != 0)
		return errno;
	environ = (char **)(uintptr_t)start->environment;
	/* Last: a signal that waits would run a handler of the parent. */
	if (sigprocmask(SIG_SETMASK, start->mask, NULL) != 0)
		return errno;
	(void)execvp(start->argv[0], (char *const *)(uintptr_t)start->argv);
	return errno;
}

/* What the child says on FD if it cannot; 0 if it could. */
static int
hear(int fd)
{
	int error = 0;
	ssize_t n;

	do
		n = read(fd, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(error) ? error : 0;
}

int
start_program(const struct start *start, pid_t *pid)
{
	int ends[2], error;

	if (channel_pipe(ends) != 0)
		return errno;
	*pid = fork();
	if (*pid == 0) {
		error = become(start);
		(void)!write(ends[1], &error, sizeof(error));
		_exit(127);
	}
	error = *pid < 0 ? errno : 0;
	(void)close(ends[1]);
	if (*pid > 0)
		error = hear(ends[0]);
	(void)close(ends[0]);
	if (*pid > 0 && error != 0)
		while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR)
			;
	return error;
}
