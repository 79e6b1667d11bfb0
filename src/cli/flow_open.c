/*
 * What a command of `flow` needs before it begins: settings, store, workflow.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/flow.h"
#include "store/dir.h"

/* Take over the settings for workflows. */
static void
take_settings(struct flow_task *task)
{
	const struct config *config = &task->opened.config;
	struct engine_options *options = &task->engine.options;

	*options = task->arguments->options;
	options->ttl_ms = config_session_ttl(config);
	options->no_session = !config_iterates(config);
	(void)checkout_parse(
	    config->work[WORK_CHECKOUT].value, &task->work.modes);
}

bool
cli_flow_wants_lines(const struct flow_task *task)
{
	return task->given->json != NULL &&
	       strcmp(task->given->json, "lines") == 0;
}

int
cli_flow_open_store(struct flow_task *task, enum dir_want want)
{
	struct arena *arena = task->cli->arena;
	int status = store_choose(task->cli, task->given->store, &task->opened);

	if (status != CLI_OK)
		return status;
	task->root = task->opened.config.cwd;
	if (!work_open(
		&task->work, arena, &task->opened.store, task->root, want))
		return cli_unusable(
		    task->cli, "the current directory", strerror(errno));
	task->work.excludes = store_excludes;
	task->work.excluding = &task->opened.config;
	task->engine.work = &task->work;
	take_settings(task);
	return CLI_OK;
}

static int
tell_faults(struct flow_task *task, const struct flow_faults *faults)
{
	struct buf line;

	for (const struct flow_fault *m = faults->first; m != NULL;
	     m = m->next) {
		line = buf_new(task->cli->arena, 256);
		flow_fault_write(&line, m);
		line.n--;
		(void)fprintf(stderr, "readcache: %s\n",
		    cli_visible(task->cli,
			arena_cstr(task->cli->arena, buf_span(&line))));
	}
	return CLI_USAGE;
}

int
cli_flow_load(struct flow_task *task, struct span name)
{
	struct flow_faults faults = {.arena = task->cli->arena};
	const char *why = NULL;

	task->bundle = bundle_load(&task->work, name, &faults, &why);
	if (why != NULL) {
		(void)fprintf(
		    stderr, "readcache: %s\n", cli_visible(task->cli, why));
		return CLI_USAGE;
	}
	return task->bundle != NULL ? CLI_OK : tell_faults(task, &faults);
}

int
cli_flow_open(struct flow_task *task, struct span name, enum dir_want want)
{
	int status = cli_flow_open_store(task, want);

	return status == CLI_OK ? cli_flow_load(task, name) : status;
}

void
cli_flow_close(struct flow_task *task)
{
	if (task->engine.work != NULL)
		work_close(&task->work);
	task->engine.work = NULL;
}
