#include "cli/tidy.h"

#include "serve/upkeep.h"
#include "work/kept/kept.h"

/* With more entries than this the state is removed. */
enum { STATE_MAX = 1000000 };

static void
tidy_state(struct store *store)
{
	struct state *state = state_open(store, DIR_USE);
	bool full = state_count(state) > STATE_MAX;

	state_close(state);
	if (full)
		(void)state_remove(store);
}

int
tidy(struct cli *cli, struct store_opened *opened, int status)
{
	struct gc_limits limits =
	    upkeep_limits(&opened->store, &opened->config);
	int memo;

	status = cli_flush(cli, status);
	if (gc_begin(&opened->store))
		(void)gc_run(&opened->store, &limits, GC_REMOVE);
	memo = dir_open(&opened->store, "memo", DIR_USE);
	if (memo >= 0 && gc_begin_in(memo)) {
		(void)kept_gc(&opened->store, &limits, GC_REMOVE);
		tidy_state(&opened->store);
	}
	return status;
}
