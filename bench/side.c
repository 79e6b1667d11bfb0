#include "side.h"

#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* So that a request never waits for the answer to be taken away. */
#define PIPE_BYTES (1024 * 1024)

extern char **environ;

double
now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static pid_t
spawn(const struct side *s, int in, int out)
{
	posix_spawn_file_actions_t files;
	pid_t pid;

	if (posix_spawn_file_actions_init(&files) != 0 ||
	    posix_spawn_file_actions_adddup2(&files, in, 0) != 0 ||
	    posix_spawn_file_actions_adddup2(&files, out, 1) != 0 ||
	    posix_spawnp(&pid, s->argv[0], &files, NULL, s->argv, environ) != 0)
		errx(1, "%s cannot be started", s->argv[0]);
	(void)posix_spawn_file_actions_destroy(&files);
	return pid;
}

static void
wait_for(struct side *s, pid_t pid, int status)
{
	struct rusage used;
	int how;

	if (wait4(pid, &how, 0, &used) != pid || !WIFEXITED(how) ||
	    WEXITSTATUS(how) != status)
		errx(1, "%s failed", s->argv[0]);
	s->faults = used.ru_minflt;
	if (used.ru_maxrss > s->peak_kb)
		s->peak_kb = used.ru_maxrss;
}

static void
check(const struct side *s, const char *said, size_t n)
{
	if (s->expect != NULL &&
	    memmem(said, n, s->expect, strlen(s->expect)) == NULL)
		errx(1, "%s did not say %s but: %.*s", s->argv[0], s->expect,
		    (int)(n < 300 ? n : 300), said);
}

/* From the start of a process to its end. */
static double
run(struct side *s)
{
	char said[4096];
	int in = open(s->input, O_RDONLY | O_CLOEXEC);
	int out = memfd_create("said", MFD_CLOEXEC);
	double start, us;
	ssize_t n;

	if (in < 0 || out < 0)
		err(1, "%s", s->input);
	start = now_us();
	wait_for(s, spawn(s, in, out), s->status);
	us = now_us() - start;
	n = pread(out, said, sizeof(said) - 1, 0);
	if (n < 0)
		err(1, "what %s said", s->argv[0]);
	said[n] = '\0';
	(void)close(in);
	(void)close(out);
	check(s, said, (size_t)n);
	return s->tells ? atof(said) : us;
}

static void
load_request(struct side *s)
{
	struct stat st;
	int fd = open(s->input, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) != 0)
		err(1, "%s", s->input);
	s->request_n = (size_t)st.st_size;
	s->request = malloc(s->request_n);
	if (s->request == NULL ||
	    read(fd, s->request, s->request_n) != st.st_size)
		err(1, "%s", s->input);
	(void)close(fd);
	if (s->request_n > PIPE_BYTES || s->request_n == 0 ||
	    memchr(s->request, '\n', s->request_n) !=
		s->request + s->request_n - 1)
		errx(1, "%s is not one line, or too long", s->input);
}

/* Send the line; the time ends with the end of the answer. */
static double
ask(struct side *s)
{
	static char said[2 * PIPE_BYTES];
	size_t n = 0;
	double start = now_us();

	if (write(s->to, s->request, s->request_n) != (ssize_t)s->request_n)
		err(1, "%s does not listen", s->argv[0]);
	do {
		ssize_t got = read(s->from, said + n, sizeof(said) - n);

		if (got <= 0)
			errx(1, "%s gives no answer", s->argv[0]);
		n += (size_t)got;
	} while (said[n - 1] != '\n');
	start = now_us() - start;
	check(s, said, n);
	return start;
}

/*
 * Whoever asks and whoever answers on one processor, on both sides: waking the
 * other one costs three times as much, and is a matter of luck.
 */
static void
stay_together(void)
{
	int here = sched_getcpu();
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(here > 0 ? here : 0, &one);
	(void)sched_setaffinity(0, sizeof(one), &one);
}

void
side_start(struct side *s)
{
	int to[2], from[2];

	if (!s->stays)
		return;
	load_request(s);
	if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
		err(1, "pipe");
	(void)fcntl(to[1], F_SETPIPE_SZ, PIPE_BYTES);
	(void)fcntl(from[1], F_SETPIPE_SZ, PIPE_BYTES);
	stay_together();
	s->pid = spawn(s, to[0], from[1]);
	(void)close(to[0]);
	(void)close(from[1]);
	s->to = to[1];
	s->from = from[0];
}

double
side_round(struct side *s)
{
	return s->stays ? ask(s) : run(s);
}

void
side_end(struct side *s)
{
	if (!s->stays)
		return;
	(void)close(s->to);
	wait_for(s, s->pid, 0);
	(void)close(s->from);
	free(s->request);
}
