#include "store/state/fault.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static sigjmp_buf way_out;
static volatile sig_atomic_t trying;
static struct sigaction former[2];

static void
on_fault(int signal)
{
	if (trying)
		siglongjmp(way_out, 1);
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

bool
fault_try(void (*work)(void *context), void *context)
{
	if (sigsetjmp(way_out, 0) != 0) {
		trying = 0;
		return false;
	}
	trying = 1;
	work(context);
	trying = 0;
	return true;
}

void
fault_raise(void)
{
	if (trying)
		siglongjmp(way_out, 1);
	abort();
}
