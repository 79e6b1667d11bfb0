/*
 * What a command of `flow` needs before it begins: settings, store, workflow.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/flow.h"
#include "config/config.h"
#include "path/name.h"
#include "store/dir.h"

static struct span
choose_store(struct flow_task *task, const struct config *config)
{
	struct buf path = buf_new(task->cli->arena, 256);
	const char *named = task->arguments->store;

	if (named == NULL)
		return config->store;
	if (named[0] != '/') {
		buf_add(&path, config->cwd);
		buf_char(&path, '/');
	}
	buf_str(&path, named);
	return name_normalize(task->cli->arena, buf_span(&path));
}

int
cli_flow_open_store(struct flow_task *task, enum dir_want want)
{
	struct arena *arena = task->cli->arena;
	struct config_where where;
	struct config config;
	struct span cwd;

	if (!cli_cwd(task->cli, &cwd))
		return CLI_USAGE;
	where = config_where(cwd);
	config = config_load(arena, &where);
	task->root = config.cwd;
	task->store_path = choose_store(task, &config);
	task->store = store_at(arena, task->store_path, config.cwd);
	if (!work_open(&task->work, arena, &task->store, task->root, want))
		return cli_unusable(
		    task->cli, "the current directory", strerror(errno));
	task->engine.work = &task->work;
	task->engine.options = task->arguments->options;
	return CLI_OK;
}

static int
tell_mistakes(struct flow_task *task, const struct mistakes *mistakes)
{
	struct buf line;

	for (const struct mistake *m = mistakes->first; m != NULL;
	     m = m->next) {
		line = buf_new(task->cli->arena, 256);
		mistake_write(&line, m);
		line.n--;
		(void)fprintf(stderr, "readcache: %s\n",
		    cli_visible(task->cli,
			arena_cstr(task->cli->arena, buf_span(&line))));
	}
	return CLI_USAGE;
}

int
cli_flow_open(struct flow_task *task, struct span name, enum dir_want want)
{
	struct mistakes mistakes = {.arena = task->cli->arena};
	int status = cli_flow_open_store(task, want);
	const char *why = NULL;

	if (status != CLI_OK)
		return status;
	task->bundle =
	    bundle_load(task->cli->arena, task->root, name, &mistakes, &why);
	if (why != NULL) {
		(void)fprintf(
		    stderr, "readcache: %s\n", cli_visible(task->cli, why));
		return CLI_USAGE;
	}
	return task->bundle != NULL ? CLI_OK : tell_mistakes(task, &mistakes);
}

void
cli_flow_close(struct flow_task *task)
{
	work_close(&task->work);
}
