/*
 * spawn -- how long two commands take from start to end, in one run.
 *
 *	spawn ROUNDS INPUT COMMAND [ARG]
 *
 * Starts /bin/true and COMMAND in turns, COMMAND with INPUT as its standard
 * input, and prints the median and the fastest time of each and their ratio
 * as one line of JSON.  Turns, so that whatever else the machine does hits
 * both alike.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double
now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Microseconds from the start of ARGV to its end. */
static double
time_one(char *const argv[], const char *input)
{
	posix_spawn_file_actions_t files;
	double start;
	pid_t pid;
	int status;

	if (posix_spawn_file_actions_init(&files) != 0 ||
	    posix_spawn_file_actions_addopen(&files, 0, input, O_RDONLY, 0) !=
		0 ||
	    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY,
		0) != 0)
		exit(2);
	start = now_us();
	if (posix_spawn(&pid, argv[0], &files, NULL, argv, environ) != 0 ||
	    waitpid(pid, &status, 0) != pid || status != 0) {
		(void)fprintf(stderr, "spawn: %s failed\n", argv[0]);
		exit(1);
	}
	start = now_us() - start;
	(void)posix_spawn_file_actions_destroy(&files);
	return start;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int
main(int argc, char **argv)
{
	char *nothing[] = {"/bin/true", NULL};
	double *a, *b;
	int rounds;

	if (argc < 4 || (rounds = atoi(argv[1])) < 1) {
		(void)fputs("usage: spawn ROUNDS INPUT COMMAND [ARG]\n", stderr);
		return 2;
	}
	a = calloc((size_t)rounds, sizeof(*a));
	b = calloc((size_t)rounds, sizeof(*b));
	if (a == NULL || b == NULL)
		return 1;
	for (int i = -10; i < rounds; i++) { /* ten to warm up */
		double t = time_one(nothing, "/dev/null");
		double c = time_one(argv + 3, argv[2]);

		if (i >= 0) {
			a[i] = t;
			b[i] = c;
		}
	}
	qsort(a, (size_t)rounds, sizeof(*a), by_value);
	qsort(b, (size_t)rounds, sizeof(*b), by_value);
	(void)printf("{\"rounds\":%d,\"trueMedianUs\":%.0f,"
		     "\"commandMedianUs\":%.0f,\"trueBestUs\":%.0f,"
		     "\"commandBestUs\":%.0f,\"ratioMedian\":%.2f,"
		     "\"ratioBest\":%.2f}\n",
	    rounds, a[rounds / 2], b[rounds / 2], a[0], b[0],
	    b[rounds / 2] / a[rounds / 2], b[0] / a[0]);
	free(a);
	free(b);
	return 0;
}
