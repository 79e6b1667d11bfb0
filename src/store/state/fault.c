#include "store/state/fault.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static sigjmp_buf way_out;
static volatile sig_atomic_t trying;
static struct sigaction former[2];

static void
on_fault(int signal)
{
	if (trying)
		siglongjmp(way_out, FAULT_MEMORY);
	/*
	 * Not in fault_try: put the former handlers back, and raise it once
	 * more.
	 */
	(void)sigaction(SIGSEGV, &former[0], NULL);
	(void)sigaction(SIGBUS, &former[1], NULL);
	(void)raise(signal);
}

/* A command that is run gets the default handlers back by its exec. */
void
fault_prepare(void)
{
	/*
	 * The signal is not blocked in its handler, so siglongjmp need not
	 * restore the mask.
	 */
	struct sigaction action = {
	    .sa_handler = on_fault, .sa_flags = SA_NODEFER};
	struct sigaction before;

	(void)sigemptyset(&action.sa_mask);
	if (sigaction(SIGSEGV, &action, &before) == 0 &&
	    before.sa_handler != on_fault)
		former[0] = before;
	if (sigaction(SIGBUS, &action, &before) == 0 &&
	    before.sa_handler != on_fault)
		former[1] = before;
}

/* ---- the clock ---- */

/* What whoever started us may have set: it goes on afterwards. */
static struct former_clock {
	struct sigaction action;
	unsigned left; /* seconds */
} outer;

static void
on_alarm(int signal)
{
	(void)signal;
	if (trying)
		siglongjmp(way_out, FAULT_LATE);
}

static void
start_clock(unsigned seconds)
{
	struct sigaction action = {
	    .sa_handler = on_alarm, .sa_flags = SA_NODEFER};

	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGALRM, &action, &outer.action);
	outer.left = alarm(seconds);
}

static void
stop_clock(void)
{
	(void)alarm(0);
	(void)sigaction(SIGALRM, &outer.action, NULL);
	if (outer.left > 0)
		(void)alarm(outer.left);
}

/* ---- the work ---- */

/* WORK, under the clock if there is one. */
static enum fault
try_it(void (*work)(void *context), void *context)
{
	switch (sigsetjmp(way_out, 0)) {
	case FAULT_NONE:
		trying = 1;
		work(context);
		trying = 0;
		return FAULT_NONE;
	case FAULT_LATE:
		trying = 0;
		return FAULT_LATE;
	default:
		trying = 0;
		return FAULT_MEMORY;
	}
}

enum fault
fault_try(void (*work)(void *context), void *context, unsigned seconds)
{
	enum fault fault;

	if (seconds == 0)
		return try_it(work, context);
	start_clock(seconds);
	fault = try_it(work, context);
	stop_clock();
	return fault;
}

void
fault_raise(void)
{
	if (trying)
		siglongjmp(way_out, FAULT_MEMORY);
	abort();
}
