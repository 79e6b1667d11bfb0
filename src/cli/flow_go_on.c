#include "cli/flow_go_on.h"

#include <stdio.h>

static bool
is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') ||
	       (c != '\0' && strchr("_@%+=:,./-", c) != NULL);
}

/* Write " WORD", quoted so that a shell takes it for one word. */
static void
write_word(struct buf *out, struct span word)
{
	bool plain = word.n > 0;

	for (size_t i = 0; i < word.n; i++)
		plain = plain && is_plain(word.p[i]);
	buf_char(out, ' ');
	if (plain) {
		buf_add(out, word);
		return;
	}
	buf_char(out, '\'');
	for (size_t i = 0; i < word.n; i++)
		if (word.p[i] == '\'')
			buf_str(out, "'\\''");
		else
			buf_char(out, word.p[i]);
	buf_char(out, '\'');
}

/* The command line that was typed, without options about how to run. */
static struct buf
command_line(const struct flow_task *task)
{
	const struct flow_arguments *arguments = task->arguments;
	struct buf line = buf_new(task->cli->arena, 128);

	buf_str(&line, "readcache flow");
	write_word(&line, task->bundle->source.shown);
	for (size_t k = 0; k < arguments->ninputs; k++) {
		struct buf word = buf_new(task->cli->arena, 64);

		buf_add(&word, arguments->inputs[k].name);
		buf_char(&word, '=');
		buf_add(&word, arguments->inputs[k].value);
		write_word(&line, buf_span(&word));
	}
	if (task->given->store != NULL) {
		buf_str(&line, " --store");
		write_word(&line, span_str(task->given->store));
	}
	return line;
}

/*
 * Print one line.  A quiet run has only the nodes' output on standard output,
 * so its line goes to standard error.
 */
static void
tell_line(struct flow_task *task, const char *before, struct buf *line)
{
	const char *text = cli_visible(
	    task->cli, arena_cstr(task->cli->arena, buf_span(line)));

	if (task->given->quiet) {
		(void)fprintf(stderr, "readcache: %s: %s\n", before, text);
		return;
	}
	buf_str(&task->cli->out, "  ");
	buf_str(&task->cli->out, before);
	buf_str(&task->cli->out, ": ");
	buf_str(&task->cli->out, text);
	buf_char(&task->cli->out, '\n');
}

static void
tell_how_to_approve(
    struct flow_task *task, const struct flow_run *run, size_t i)
{
	struct buf line = command_line(task);

	buf_str(&line, " --resume ");
	buf_add(&line, run->engine->run_id);
	buf_str(&line, " --approve ");
	buf_add(&line, run->bundle->workflow.nodes[i].id);
	tell_line(task, "to approve it", &line);
}

void
cli_flow_tell_approvals(struct flow_task *task, const struct flow_run *run)
{
	for (size_t i = 0; i < run->bundle->graph.n; i++) {
		const struct node_run *it = &run->nodes[i];

		if (it->outcome != OUTCOME_BLOCKED)
			continue;
		if (it->inner != NULL)
			cli_flow_tell_approvals(task, it->inner);
		else if (run->bundle->workflow.nodes[i].type == NODE_APPROVAL)
			tell_how_to_approve(task, run, i);
	}
}

/* Is there anything of this run that --resume would find? */
static bool
is_noted(const struct flow_run *run)
{
	for (size_t i = 0; i < run->session.n; i++)
		if (span_eq(run->session.nodes[i].run, run->engine->run_id))
			return true;
	for (size_t i = 0; i < run->bundle->graph.n; i++)
		if (run->nodes[i].inner != NULL &&
		    is_noted(run->nodes[i].inner))
			return true;
	return false;
}

int
cli_flow_tell_resume(struct flow_task *task, const struct flow_run *run)
{
	struct buf line = command_line(task);
	int status = cli_flush(task->cli, CLI_FOUND);

	if (run->engine->options.only.n > 0) {
		buf_str(&line, " --only");
		write_word(&line, run->engine->options.only);
	} else if (is_noted(run)) {
		buf_str(&line, " --resume ");
		buf_add(&line, run->engine->run_id);
	}
	(void)fprintf(stderr, "readcache: to go on when it is mended: %s\n",
	    cli_visible(task->cli,
		arena_cstr(task->cli->arena, buf_span(&line))));
	return status;
}

void
cli_flow_tell_troubles(struct flow_task *task, const struct flow_run *run)
{
	for (size_t i = 0; i < run->bundle->graph.n; i++) {
		const struct node_run *it = &run->nodes[i];
		struct buf line;

		if (it->outcome != OUTCOME_FAILED &&
		    it->outcome != OUTCOME_BLOCKED)
			continue;
		if (it->inner != NULL) {
			cli_flow_tell_troubles(task, it->inner);
			continue;
		}
		line = buf_new(task->cli->arena, 96);
		buf_add(&line, run->bundle->workflow.nodes[i].id);
		buf_str(&line, " (");
		buf_str(&line, it->error);
		buf_char(&line, ')');
		tell_line(task,
		    it->outcome == OUTCOME_FAILED ? "failed" : "blocked",
		    &line);
	}
}
