/*
 * side.h -- one of the things whose times are compared: a command that is
 * started for every round, or one that stays and answers a line each.
 */
#include <stddef.h>
#include <sys/types.h>

struct side {
	char **argv;
	const char *input;  /* standard input, or the line to be answered */
	const char *expect; /* must be in what it says; NULL: whatever */
	int status;	    /* with which it must end */
	int stays;	    /* answers a line per round instead of ending */
	int tells;	    /* it says itself how long it took, in us */

	pid_t pid; /* of one that stays */
	int to, from;
	char *request;
	size_t request_n;

	long peak_kb; /* the largest of any of its processes */
	long faults;  /* minor page faults of the latest one that ended */
};

/* Microseconds on a clock that only goes forward. */
double now_us(void);

/* Make S ready.  Whatever goes wrong here or below ends the program. */
void side_start(struct side *s);

/* One round; microseconds. */
double side_round(struct side *s);

/* End what stays. */
void side_end(struct side *s);
