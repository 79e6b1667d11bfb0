#include "exec/handed_on.h"

#include <stddef.h>

enum { COUNT = 4 };
static const int signals[COUNT] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static struct sigaction before[COUNT];
static sigset_t mask_before;
static bool begun;
static volatile sig_atomic_t waiting[COUNT]; /* not handed on yet */
static volatile sig_atomic_t last;

static void
note(int number, siginfo_t *info, void *context)
{
	(void)context;
	last = number;
	if (info->si_code == SI_KERNEL)
		return; /* from the terminal: the children have it too */
	for (size_t i = 0; i < COUNT; i++)
		if (signals[i] == number)
			waiting[i] = 1;
}

sigset_t
handed_on_signals(void)
{
	sigset_t set;

	(void)sigemptyset(&set);
	for (size_t i = 0; i < COUNT; i++)
		(void)sigaddset(&set, signals[i]);
	return set;
}

void
handed_on_begin(void)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO};
	sigset_t set = handed_on_signals();

	if (begun)
		return;
	begun = true;
	action.sa_sigaction = note;
	(void)sigemptyset(&action.sa_mask);
	(void)sigprocmask(SIG_BLOCK, &set, &mask_before);
	for (size_t i = 0; i < COUNT; i++) {
		waiting[i] = 0;
		(void)sigaction(signals[i], NULL, &before[i]);
		/* nohup and background jobs have asked not to be told. */
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
	for (size_t i = 0; i < COUNT; i++)
		if (waiting[i] != 0) {
			waiting[i] = 0;
			return signals[i];
		}
	return 0;
}

int
handed_on_last(void)
{
	return (int)last;
}
