/* Run a workflow, or report what a run would do. */
#include "cli/flow_go_on.h"
#include "cli/flow_json.h"
#include "cli/flow_lines.h"
#include "cli/flow_show.h"
#include "cli/tidy.h"
#include "work/exec/exec.h"
#include "work/workflow/quiet.h"

static void
tell_text(struct flow_task *task, struct span said)
{
	if (said.n == 0)
		return;
	buf_add(&task->cli->out, said);
	if (said.p[said.n - 1] != '\n')
		buf_char(&task->cli->out, '\n');
}

/* Print the result of the workflow: the output of its last node. */
static void
tell_result(struct flow_task *task, const struct flow_run *run)
{
	size_t last = run->bundle->graph.n - 1;

	if (run->engine->options.only.n > 0)
		last =
		    graph_find(&run->bundle->graph, run->engine->options.only);
	if (run->values[last].known)
		tell_text(task, run->values[last].out);
}

static bool
is_stale(const struct flow_run *run)
{
	return strcmp(cli_flow_json_status(run), "cached") != 0;
}

static int
tell_end(
    struct flow_task *task, struct flow_show *show, const struct flow_run *run)
{
	if (task->engine.options.mode == ENGINE_LOOK) {
		if (cli_flow_wants_lines(task))
			cli_flow_lines_plan(task, run);
		else if (task->cli->json)
			cli_flow_json_run(task->cli, run);
		else
			cli_flow_show_plan(show, run);
		return task->given->exit_code && is_stale(run) ? CLI_FOUND
								   : CLI_OK;
	}
	if (cli_flow_wants_lines(task)) {
		cli_flow_lines_end(task, run);
	} else if (task->cli->json) {
		cli_flow_json_run(task->cli, run);
	} else {
		if (task->given->quiet)
			cli_flow_tell_troubles(task, run);
		else
			cli_flow_show_end(show, run);
		cli_flow_tell_approvals(task, run);
	}
	if (run->failed)
		return task->cli->json ? CLI_FOUND
				       : cli_flow_tell_resume(task, run);
	if (run->blocked)
		return FLOW_BLOCKED;
	if (!task->cli->json)
		tell_result(task, run);
	return CLI_OK;
}

/* Is it an ordinary run, for which a note of quiet.h may be enough? */
static bool
may_glance(const struct flow_task *task)
{
	const struct engine_options *options = &task->engine.options;

	return options->mode == ENGINE_RUN && !options->no_cache &&
	       !task->cli->json && options->rerun.n == 0 &&
	       options->only.n == 0 && options->resume.n == 0;
}

static bool
run_at_a_glance(
    struct flow_task *task, struct flow_show *show, struct quiet *quiet)
{
	const struct flow_arguments *arguments = task->arguments;
	struct source source;

	if (!may_glance(task) ||
	    source_load(task->cli->arena, task->root, arguments->names[0],
		&source) != NULL ||
	    !quiet_holds(&task->work, &source, arguments->inputs,
		arguments->ninputs, quiet))
		return false;
	if (!task->given->quiet)
		cli_flow_show_quiet(show, &quiet->note);
	tell_text(task, quiet->note.result);
	return true;
}

/* Is there a node ID, here or in an inner workflow? */
static bool
has_node(const struct bundle *bundle, struct span id)
{
	if (graph_find(&bundle->graph, id) < bundle->graph.n)
		return true;
	for (size_t i = 0; i < bundle->graph.n; i++)
		if (bundle->inner[i] != NULL && has_node(bundle->inner[i], id))
			return true;
	return false;
}

/*
 * Check the nodes that an option names.  False (and a message) if one does not
 * exist.
 */
static bool
check_names(
    struct flow_task *task, const char *option, const struct names *names)
{
	struct buf sentence;

	for (size_t i = 0; i < names->n; i++) {
		if (has_node(task->bundle, names->at[i]))
			continue;
		sentence = buf_new(task->cli->arena, 96);
		buf_str(&sentence, option);
		buf_str(&sentence, ": there is no node \"");
		buf_add(&sentence, names->at[i]);
		buf_str(&sentence, "\".");
		(void)cli_usage(task->cli,
		    arena_cstr(task->cli->arena, buf_span(&sentence)));
		return false;
	}
	return true;
}

static int
run_nodes(struct flow_task *task, struct flow_show *show,
    const struct quiet *quiet)
{
	struct flow_arguments *arguments = task->arguments;
	struct engine *engine = &task->engine;
	struct flow_run *run;
	const char *why;

	if (!check_names(task, "--rerun", &engine->options.rerun) ||
	    !check_names(task, "--approve", &engine->options.approve))
		return CLI_USAGE;
	if (may_glance(task))
		engine->survey = quiet_survey(&task->work, task->bundle,
		    arguments->inputs, arguments->ninputs, quiet);
	engine->want_all_values = task->cli->json;
	engine->run_id = engine->options.resume.n > 0
			     ? engine->options.resume
			     : engine_run_id(task->cli->arena);
	if (cli_flow_wants_lines(task))
		cli_flow_lines_begin(task);
	run = engine_run(
	    engine, task->bundle, arguments->inputs, arguments->ninputs, &why);
	if (run == NULL)
		return cli_usage(task->cli, cli_visible(task->cli, why));
	quiet_leave(engine->survey, run);
	return tell_end(task, show, run);
}

int
cli_flow_run(struct flow_task *task)
{
	struct flow_arguments *arguments = task->arguments;
	bool look = task->given->explain;
	enum dir_want want = look ? DIR_LOOK : DIR_MAKE;
	struct flow_show show = cli_flow_show_begin(task);
	struct quiet quiet = {0};
	int status;

	arguments->options.mode = look ? ENGINE_LOOK : ENGINE_RUN;
	status = cli_flow_open_store(task, want);
	if (status != CLI_OK)
		return status;
	if (!run_at_a_glance(task, &show, &quiet)) {
		status = cli_flow_load(task, arguments->names[0]);
		task->engine.listener =
		    look		   ? engine_nobody()
		    : cli_flow_wants_lines(task) ? cli_flow_lines_listener(task)
				       : cli_flow_show_listener(&show);
		if (status == CLI_OK)
			status = run_nodes(task, &show, &quiet);
	}
	cli_flow_close(task);
	if (look)
		return status;
	/*
	 * End by the signal that ended the commands, so that the caller sees
	 * it.
	 */
	if (exec_interrupted() != 0 && status != CLI_OK) {
		(void)cli_flush(task->cli, status);
		exec_end_by(exec_interrupted());
	}
	return tidy(task->cli, &task->opened, status);
}
