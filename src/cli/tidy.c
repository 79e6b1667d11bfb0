#include "cli/tidy.h"

#include "flow/upkeep.h"
#include "record/trim.h"
#include "store/dir.h"

/* More entries than this are not worth their room. */
enum { STATE_MAX = 1000000 };

static void
tidy_records(struct store *store, const struct gc_limits *limits)
{
	struct records records = records_in(store);
	struct state *state;

	records.dir = dir_open(store, "memo", DIR_USE);
	if (records.dir < 0 || !gc_begin_in(records.dir))
		return;
	state = state_open(store, DIR_USE);
	(void)trim_run(&records, state, limits, GC_REMOVE);
	(void)state_flush(state);
	if (state_count(state) > STATE_MAX)
		(void)state_clear(state);
	state_close(state);
}

int
tidy(struct cli *cli, struct store_opened *opened, int status)
{
	struct gc_limits limits =
	    upkeep_limits(&opened->store, &opened->config);

	status = cli_flush(cli, status);
	if (gc_begin(&opened->store))
		(void)gc_run(&opened->store, &limits, GC_REMOVE);
	tidy_records(&opened->store, &limits);
	return status;
}
