#include "work/exec/handed_on.h"

#include <stddef.h>

/* The first HANDED signals are passed on; the others are only noted. */
enum { HANDED = 4, STOP = HANDED, CHILD, COUNT };
static const int signals[COUNT] = {
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCHLD};

static struct sigaction before[COUNT];
static sigset_t mask_before;
static bool begun;
static volatile sig_atomic_t waiting[COUNT]; /* came, and not passed on yet */
static volatile sig_atomic_t last;

static void
note(int number)
{
	for (size_t i = 0; i < COUNT; i++)
		if (signals[i] == number) {
			waiting[i] = 1;
			if (i < HANDED)
				last = number;
		}
}

void
handed_on_begin(void)
{
	struct sigaction action = {.sa_handler = note};
	sigset_t set;

	if (begun)
		return;
	begun = true;
	(void)sigemptyset(&action.sa_mask);
	(void)sigemptyset(&set);
	for (size_t i = 0; i < COUNT; i++)
		(void)sigaddset(&set, signals[i]);
	(void)sigprocmask(SIG_BLOCK, &set, &mask_before);
	for (size_t i = 0; i < COUNT; i++) {
		waiting[i] = 0;
		(void)sigaction(signals[i], NULL, &before[i]);
		/*
		 * A signal that is ignored (nohup, background jobs) stays
		 * ignored.
		 */
		if (before[i].sa_handler != SIG_IGN)
			(void)sigaction(signals[i], &action, NULL);
	}
}

void
handed_on_end(void)
{
	if (!begun)
		return;
	begun = false;
	for (size_t i = 0; i < COUNT; i++)
		if (before[i].sa_handler != SIG_IGN)
			(void)sigaction(signals[i], &before[i], NULL);
	(void)sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

const sigset_t *
handed_on_mask(void)
{
	return &mask_before;
}

int
handed_on_next(void)
{
	for (size_t i = 0; i < HANDED; i++)
		if (waiting[i] != 0) {
			waiting[i] = 0;
			return signals[i];
		}
	return 0;
}

static bool
has_come(size_t i)
{
	bool come = waiting[i] != 0;

	waiting[i] = 0;
	return come;
}

bool
handed_on_stop(void)
{
	return has_come(STOP);
}

bool
handed_on_child(void)
{
	return has_come(CHILD);
}

void
handed_on_note(int number)
{
	last = number;
}

int
handed_on_last(void)
{
	return (int)last;
}
