/*
 * turns -- how long two commands take, in one run.
 *
 *	turns ROUNDS [OPTION...] COMMAND [ARG...] -- [OPTION...] COMMAND
 *[ARG...]
 *
 * Options of a side:
 *	-i FILE			a process per round with FILE as its input
 *	-r FILE			one process for all; it is asked the line FILE
 *	-e TEXT			which must be in what it says
 *	-x STATUS		with which it must end
 *	-t			it says how many microseconds it took
 *	-a FILE LINES		before every round a line of LINES is appended
 *	-w FILE ONE OTHER	before every round FILE is written anew, with
 *				the content of ONE and OTHER in turn
 *
 * The two take turns, so that whatever else the machine does hits both alike.
 * Prints one line of JSON: for each the median and the fastest time, its peak
 * memory and its page faults.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "before.h"
#include "side.h"

#define SIDES 2
#define WARM_UP_MAX 10

static void
usage(void)
{
	(void)fputs("usage: turns ROUNDS [OPTION...] COMMAND [ARG...] -- "
		    "[OPTION...] COMMAND [ARG...]\n",
	    stderr);
	exit(2);
}

static char *
next(char ***argv)
{
	if (**argv == NULL)
		usage();
	return *(*argv)++;
}

/* One side from ARGV on; gives what is after it. */
static char **
parse_side(char **argv, struct side *s, struct before *b)
{
	s->input = "/dev/null";
	while (*argv != NULL && (*argv)[0] == '-' && strcmp(*argv, "--") != 0) {
		switch (next(&argv)[1]) {
		case 'r':
			s->stays = 1;
			s->input = next(&argv);
			break;
		case 'i':
			s->input = next(&argv);
			break;
		case 'e':
			s->expect = next(&argv);
			break;
		case 'x':
			s->status = atoi(next(&argv));
			break;
		case 't':
			s->tells = 1;
			break;
		case 'w':
			b->kind = BEFORE_SWAP;
			b->file = next(&argv);
			b->from[0] = next(&argv);
			b->from[1] = next(&argv);
			break;
		case 'a':
			b->kind = BEFORE_APPEND;
			b->file = next(&argv);
			b->from[0] = next(&argv);
			break;
		default:
			usage();
		}
	}
	s->argv = argv;
	while (*argv != NULL && strcmp(*argv, "--") != 0)
		argv++;
	if (s->argv == argv)
		usage();
	if (*argv != NULL)
		*argv++ = NULL;
	return argv;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
print_side(const struct side *s, double *us, int rounds)
{
	qsort(us, (size_t)rounds, sizeof(*us), by_value);
	(void)printf("{\"medianUs\":%.1f,\"bestUs\":%.1f,\"peakKb\":%ld,"
		     "\"faults\":%ld}",
	    us[rounds / 2], us[0], s->peak_kb, s->faults);
}

int
main(int argc, char **argv)
{
	struct side sides[SIDES] = {0};
	struct before befores[SIDES] = {0};
	double *us[SIDES];
	int rounds = argc > 1 ? atoi(argv[1]) : 0;
	int warm_up = rounds < WARM_UP_MAX ? 1 : WARM_UP_MAX;
	char **rest = argv + 2;

	if (rounds < 1)
		usage();
	for (int i = 0; i < SIDES; i++) {
		rest = parse_side(rest, &sides[i], &befores[i]);
		us[i] = calloc((size_t)rounds, sizeof(**us));
		if (us[i] == NULL)
			err(1, "calloc");
		before_start(&befores[i]);
		side_start(&sides[i]);
	}
	for (int round = -warm_up; round < rounds; round++) {
		for (int i = 0; i < SIDES; i++) {
			double t;

			before_round(&befores[i]);
			t = side_round(&sides[i]);
			if (round >= 0)
				us[i][round] = t;
		}
	}
	(void)printf("{\"rounds\":%d,\"sides\":[", rounds);
	for (int i = 0; i < SIDES; i++) {
		side_end(&sides[i]);
		(void)fputs(i > 0 ? "," : "", stdout);
		print_side(&sides[i], us[i], rounds);
		free(us[i]);
	}
	(void)puts("]}");
	return 0;
}
