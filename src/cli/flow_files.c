/*
 * The outputs of a workflow's stages: bring them back, or commit them as they
 * are, without running anything.
 */
#include <errno.h>
#include <stdio.h>

#include "cli/flow.h"
#include "work/workflow/inner.h"
#include "work/workflow/job.h"

/* Was NODE named?  If none was named, all are meant. */
static bool
is_named(const struct flow_task *task, const struct node *node)
{
	const struct flow_arguments *arguments = task->arguments;

	for (size_t i = 1; i < arguments->nnames; i++)
		if (span_eq(arguments->names[i], node->id))
			return true;
	return arguments->nnames == 1;
}

/* The first name that is not a node with files; NULL if there is none. */
static const struct span *
find_stranger(const struct flow_task *task)
{
	const struct flow_arguments *arguments = task->arguments;

	for (size_t i = 1; i < arguments->nnames; i++) {
		size_t at =
		    graph_find(&task->bundle->graph, arguments->names[i]);

		if (at == task->bundle->graph.n ||
		    !node_is_stage(&task->bundle->workflow.nodes[at]))
			return &arguments->names[i];
	}
	return NULL;
}

static int
open_stages(struct flow_task *task, enum dir_want want)
{
	int status = cli_flow_open(task, task->arguments->names[0], want);
	const struct span *stranger;

	if (status != CLI_OK)
		return status;
	stranger = find_stranger(task);
	if (stranger != NULL)
		return cli_unusable(task->cli,
		    arena_cstr(task->cli->arena, *stranger),
		    "the workflow has no such node with files.");
	return CLI_OK;
}

static const char *
checkout_word(enum checkout_done done)
{
	switch (done) {
	case CHECKOUT_SAME:
		return "unchanged";
	case CHECKOUT_RESTORED:
		return "restored";
	case CHECKOUT_KEPT:
		return "differs, left alone";
	case CHECKOUT_REFUSED:
		return "differs: nothing done; use --force to replace it, or "
		       "--only-missing to leave it";
	case CHECKOUT_NO_BLOB:
		return "its content is not in the store: run the workflow";
	case CHECKOUT_FAILED:
		break;
	}
	return strerror(errno);
}

static bool
checkout_node(struct flow_task *task, const struct node *node)
{
	enum checkout_want want = task->given->force ? CHECKOUT_FORCE
				  : task->given->only_missing
				      ? CHECKOUT_ONLY_MISSING
				      : CHECKOUT_STRICT;
	struct span flow = task->bundle->source.stages, *paths;
	size_t n = stage_locked_outs(&task->work, flow, node->id, &paths);
	bool good = true;

	for (size_t i = 0; i < n; i++) {
		const char *remark;
		enum checkout_done done = stage_checkout(
		    &task->work, flow, node->id, paths[i], want, &remark);
		const char *word = checkout_word(done);

		if (remark != NULL)
			(void)fprintf(stderr, "readcache: %.*s: %s\n",
			    (int)node->id.n, node->id.p,
			    cli_visible(task->cli, remark));
		good = good && done != CHECKOUT_REFUSED &&
		       done != CHECKOUT_NO_BLOB && done != CHECKOUT_FAILED;
		cli_text(task->cli, paths[i]);
		buf_str(&task->cli->out, ": ");
		buf_str(&task->cli->out, word);
		buf_char(&task->cli->out, '\n');
	}
	if (n == 0 && node->nouts > 0) {
		good = false;
		cli_text(task->cli, node->id);
		buf_str(&task->cli->out,
		    ": it has not been run yet, nothing is known of its "
		    "outputs\n");
	}
	return good;
}

int
cli_flow_checkout(struct flow_task *task)
{
	int status = open_stages(task, DIR_MAKE);
	bool good = true;

	if (status != CLI_OK)
		return status;
	for (size_t k = 0; k < task->bundle->graph.n; k++) {
		const struct node *node =
		    &task->bundle->workflow.nodes[task->bundle->graph.order[k]];

		if (node_is_stage(node) && is_named(task, node))
			good = checkout_node(task, node) && good;
	}
	return good ? CLI_OK : CLI_FOUND;
}

/*
 * Is the stage of node I stale?  If no node is named, only stale ones are
 * committed.
 */
static bool
is_stale(struct flow_run *run, size_t i)
{
	run->nodes[i].job =
	    arena_array(run->engine->work->arena, 1, sizeof(struct job));
	return job_plan_stage(run, i) == JOB_FAILED ||
	       run->nodes[i].verdict.decision != DECISION_REUSE;
}

static bool
commit_node(struct flow_task *task, struct flow_run *run, size_t i)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	const char *why = NULL;
	struct stage stage;

	if (task->arguments->nnames == 1 && !is_stale(run, i))
		return true;
	why = job_stage(run, i, &stage)
		  ? stage_commit(&task->work, &stage, NULL, NULL)
		  : run->nodes[i].error;
	if (why != NULL) {
		(void)cli_unusable(
		    task->cli, arena_cstr(task->cli->arena, node->id), why);
		return false;
	}
	cli_text(task->cli, node->id);
	buf_str(&task->cli->out, ": committed\n");
	return true;
}

int
cli_flow_commit(struct flow_task *task)
{
	struct flow_arguments *arguments = task->arguments;
	int status = open_stages(task, DIR_MAKE);
	struct flow_run *run;
	const char *why;
	bool good = true;

	if (status != CLI_OK)
		return status;
	run = engine_begin(&task->engine, task->bundle, arguments->inputs,
	    arguments->ninputs, &why);
	if (run == NULL)
		return cli_usage(task->cli, cli_visible(task->cli, why));
	for (size_t k = 0; k < task->bundle->graph.n; k++) {
		size_t i = task->bundle->graph.order[k];
		const struct node *node = &task->bundle->workflow.nodes[i];

		if (node_is_stage(node) && is_named(task, node))
			good = commit_node(task, run, i) && good;
	}
	return good ? CLI_OK : CLI_FOUND;
}
