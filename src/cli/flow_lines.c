#include "cli/flow_lines.h"

#include "base/utf8.h"
#include "cli/flow_json.h"
#include "cli/flow_show.h"
#include "json/emit.h"
#include "work/workflow/job.h"

#define TICK_MS 50

static struct buf *
begin_line(struct flow_task *task, const char *event)
{
	struct buf *out = &task->cli->out;

	buf_char(out, '{');
	emit_string_member(out, "event", span_str(event));
	return out;
}

/* End the line and write it at once. */
static void
end_line(struct flow_task *task)
{
	buf_str(&task->cli->out, "}\n");
	(void)cli_flush(task->cli, CLI_OK);
}

static void
add_id(struct buf *out, const struct flow_run *run, size_t i)
{
	struct buf name = buf_new(out->arena, 64);

	cli_flow_show_name(&name, run, i);
	emit_string_member(out, "id", buf_span(&name));
}

/* ---- output ---- */

/*
 * How many bytes of TEXT are complete characters; the rest of the last one may
 * be still to come.
 */
static size_t
whole_part(struct span text)
{
	size_t n = text.n, tails = 0;
	unsigned char lead;

	while (n > 0 && tails < 4 && utf8_is_tail(text.p[n - 1]))
		n--, tails++;
	if (n == 0 || tails == 4)
		return text.n;
	lead = (unsigned char)text.p[n - 1];
	if ((lead >= 0xf0 && tails < 3) || (lead >= 0xe0 && tails < 2) ||
	    (lead >= 0xc0 && tails < 1))
		return n - 1;
	return text.n;
}

static void
tell_output(struct flow_task *task, const struct flow_run *run, size_t i,
    enum said_stream stream, struct span text)
{
	struct buf *out;

	if (text.n == 0)
		return;
	out = begin_line(task, "output");
	add_id(out, run, i);
	emit_string_member(out, "stream",
	    stream == SAID_OUT ? SPAN("stdout") : SPAN("stderr"));
	(void)emit_bytes_member(out, "text", "base64", text);
	end_line(task);
}

/*
 * Report what STREAM has written since the last report.  For a batch that is
 * DONE, the output of commands that have ended, and then SAID.
 */
static void
tell_new(struct flow_task *task, const struct flow_run *run, size_t i,
    enum said_stream stream, struct span done, struct span said)
{
	size_t *told = &run->nodes[i].job->told[stream];

	if (*told < done.n) {
		tell_output(task, run, i, stream, span_from(done, *told));
		*told = done.n;
	}
	if (*told - done.n >= said.n)
		return;
	tell_output(task, run, i, stream, span_from(said, *told - done.n));
	*told = done.n + said.n;
}

/* Report output while a command of node I works. */
static void
tell_said(struct flow_task *task, const struct flow_run *run, size_t i)
{
	struct job *job = run->nodes[i].job;
	const struct buf *done[SAID_STREAMS] = {&job->out, &job->err};
	const struct said *said;

	if (job->child == NULL)
		return;
	said = exec_said(job->child);
	for (int s = SAID_OUT; s < SAID_STREAMS; s++) {
		struct span text = buf_span(&said->text[s]);

		text.n = whole_part(text);
		tell_new(task, run, i, (enum said_stream)s, buf_span(done[s]),
		    text);
	}
}

/* Report the rest of the output, when node I has ended. */
static void
tell_rest(struct flow_task *task, const struct flow_run *run, size_t i)
{
	const struct value *value = &run->values[i];
	const struct job *job = run->nodes[i].job;
	const struct span given[SAID_STREAMS] = {value->out, value->err};
	const struct buf *done[SAID_STREAMS] = {&job->out, &job->err};

	for (int s = SAID_OUT; s < SAID_STREAMS; s++)
		/* After a batch that went well, DONE has everything. */
		tell_new(task, run, i, (enum said_stream)s, buf_span(done[s]),
		    done[s]->p != NULL && done[s]->p == given[s].p
			? SPAN("")
			: given[s]);
}

/* ---- events ---- */

static void
on_decided(void *context, const struct flow_run *run, size_t i)
{
	struct flow_task *task = context;
	const struct node *node = &run->bundle->workflow.nodes[i];
	struct buf *out = begin_line(task, "started");

	add_id(out, run, i);
	emit_string_member(out, "type", span_str(node_type_name(node->type)));
	verdict_members(out, &run->nodes[i].verdict);
	end_line(task);
}

static void
on_ended(void *context, const struct flow_run *run, size_t i)
{
	struct flow_task *task = context;

	const struct node_run *it = &run->nodes[i];

	if (it->outcome != OUTCOME_REUSED && it->inner == NULL &&
	    it->job != NULL)
		tell_rest(task, run, i);
	cli_flow_json_node(begin_line(task, "finished"), run, i);
	end_line(task);
}

static void
on_remark(
    void *context, const struct flow_run *run, size_t i, const char *sentence)
{
	struct flow_task *task = context;
	struct buf *out = begin_line(task, "remark");

	if (i < run->bundle->graph.n)
		add_id(out, run, i);
	emit_string_member(out, "text", span_str(sentence));
	end_line(task);
}

static void
on_tick(void *context, const struct flow_run *run)
{
	for (size_t k = 0; k < run->working; k++)
		tell_said(context, run, run->at_work[k]);
}

struct engine_listener
cli_flow_lines_listener(struct flow_task *task)
{
	return (struct engine_listener){
	    .context = task,
	    .decided = on_decided,
	    .ended = on_ended,
	    .remark = on_remark,
	    .tick = on_tick,
	    .tick_ms = TICK_MS,
	};
}

/* ---- the whole ---- */

void
cli_flow_lines_begin(struct flow_task *task)
{
	struct buf *out = begin_line(task, "run");

	emit_number_member(out, "v", 1);
	emit_string_member(out, "flow", task->bundle->source.shown);
	if (task->engine.options.mode == ENGINE_RUN)
		emit_string_member(out, "run", task->engine.run_id);
	emit_number_member(out, "nodes", task->bundle->graph.n);
	end_line(task);
}

void
cli_flow_lines_end(struct flow_task *task, const struct flow_run *run)
{
	struct buf *out = begin_line(task, "end");

	if (task->engine.options.mode == ENGINE_RUN)
		emit_string_member(out, "run", task->engine.run_id);
	emit_string_member(out, "status", span_str(cli_flow_json_status(run)));
	end_line(task);
}

static void
plan_nodes(struct flow_task *task, const struct flow_run *run)
{
	for (size_t k = 0; k < run->bundle->graph.n; k++) {
		size_t i = run->bundle->graph.order[k];

		cli_flow_json_node(begin_line(task, "planned"), run, i);
		end_line(task);
		if (run->nodes[i].inner != NULL)
			plan_nodes(task, run->nodes[i].inner);
	}
}

void
cli_flow_lines_plan(struct flow_task *task, const struct flow_run *run)
{
	plan_nodes(task, run);
	cli_flow_lines_end(task, run);
}
