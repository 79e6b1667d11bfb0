/* Show what is known about a workflow.  Nothing is changed. */
#include "cli/flow_json.h"
#include "cli/flow_show.h"
#include "json/emit.h"
#include "work/workflow/session_text.h"

/* The length of the longest name. */
static size_t
width_of(const struct flow_run *run)
{
	size_t width = 0;

	for (size_t i = 0; i < run->bundle->graph.n; i++)
		if (run->bundle->workflow.nodes[i].id.n > width)
			width = run->bundle->workflow.nodes[i].id.n;
	return width;
}

static void
tell_ago(struct buf *out, uint64_t ms)
{
	uint64_t now = clock_now();

	buf_str(out, " (");
	duration_write(out, now > ms ? now - ms : 0);
	buf_str(out, " ago)");
}

static void
tell_node(
    struct flow_task *task, const struct flow_run *run, size_t i, size_t width)
{
	const struct node *node = &run->bundle->workflow.nodes[i];
	struct flow_session *session = (struct flow_session *)&run->session;
	const struct session_node *known = session_find(session, node->id);
	const struct node_run *it = &run->nodes[i];
	struct buf *out = &task->cli->out;

	buf_str(out, it->outcome == OUTCOME_REUSED ? "    \xe2\x9c\x93 "
						   : "    \xe2\x9c\x97 ");
	buf_add(out, node->id);
	for (size_t k = node->id.n; k < width + 2; k++)
		buf_char(out, ' ');
	if (it->outcome == OUTCOME_REUSED) {
		buf_str(out, "cached");
		if (it->created_ms > 0)
			tell_ago(out, it->created_ms);
		else if (it->verdict.aged)
			tell_ago(out, clock_now() - it->verdict.age_ms);
	} else if (known != NULL && known->ending == ENDED_BADLY) {
		buf_str(out, "not cached (failed)");
	} else if (node_decides(node)) {
		buf_str(out, "asked in every run");
	} else {
		buf_str(out, "not cached (");
		if (it->error != NULL)
			buf_str(out, cli_visible(task->cli, it->error));
		else
			cli_flow_show_reasons(task->cli, &it->verdict);
		buf_char(out, ')');
	}
	buf_char(out, '\n');
}

static void
tell_all(struct flow_task *task, const struct flow_run *run)
{
	struct buf *out = &task->cli->out;
	size_t width = width_of(run);

	buf_str(out, "  Workflow: ");
	cli_text(task->cli, run->bundle->source.shown);
	buf_str(out, "\n  Cache: ");
	if (run->bundle->source.saved) {
		buf_str(out, "none (a saved workflow)");
	} else {
		cli_text(task->cli, task->opened.store.root);
		buf_str(out, "/flows/");
		buf_str(out, run->session.name);
	}
	buf_str(out, "\n\n  Nodes:\n");
	for (size_t k = 0; k < run->bundle->graph.n; k++)
		tell_node(task, run, run->bundle->graph.order[k], width);
}

static bool
is_stale(const struct flow_run *run)
{
	for (size_t i = 0; i < run->bundle->graph.n; i++)
		if (run->nodes[i].outcome != OUTCOME_REUSED &&
		    !node_decides(&run->bundle->workflow.nodes[i]))
			return true;
	return false;
}

int
cli_flow_status(struct flow_task *task)
{
	struct flow_arguments *arguments = task->arguments;
	const struct flow_run *run;
	struct flow_show show;
	const char *why;
	int status;

	arguments->options.mode = ENGINE_LOOK;
	status = cli_flow_open(task, arguments->names[0], DIR_LOOK);
	if (status != CLI_OK)
		return status;
	task->engine.listener = engine_nobody();
	run = engine_run(&task->engine, task->bundle, arguments->inputs,
	    arguments->ninputs, &why);
	if (run == NULL)
		return cli_usage(task->cli, cli_visible(task->cli, why));
	show = cli_flow_show_begin(task);
	if (task->cli->json)
		cli_flow_json_run(task->cli, run);
	else if (task->given->explain)
		cli_flow_show_plan(&show, run);
	else
		tell_all(task, run);
	return task->given->exit_code && is_stale(run) ? CLI_FOUND : CLI_OK;
}
