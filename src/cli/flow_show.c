#include "cli/flow_show.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/amount.h"
#include "base/lines.h"
#include "work/workflow/node.h"

#define TICK_MS 100
#define LINE_ROOM 40  /* bytes of names in the status line */
#define TAIL_LINES 20 /* of a failed command's output */

struct flow_show
cli_flow_show_begin(struct flow_task *task)
{
	const char *term = getenv("TERM");

	return (struct flow_show){
	    .cli = task->cli,
	    .given = task->given,
	    .live = isatty(STDOUT_FILENO) && term != NULL &&
		    strcmp(term, "dumb") != 0,
	    .began_ms = clock_now(),
	};
}

/* ---- pieces ---- */

/* Write "12ms", "2.3s", "1m 5s". */
static void
add_time(struct buf *buf, uint64_t us)
{
	uint64_t ms = us / 1000;

	if (ms < 1000) {
		buf_u64(buf, ms);
		buf_str(buf, "ms");
	} else if (ms < 60000) {
		buf_u64(buf, ms / 1000);
		buf_char(buf, '.');
		buf_u64(buf, ms / 100 % 10);
		buf_char(buf, 's');
	} else {
		buf_u64(buf, ms / 60000);
		buf_str(buf, "m ");
		buf_u64(buf, ms / 1000 % 60);
		buf_char(buf, 's');
	}
}

void
cli_flow_show_name(struct buf *buf, const struct flow_run *run, size_t i)
{
	if (run->outer != NULL) {
		size_t as =
		    (size_t)(run->as - run->outer->bundle->workflow.nodes);

		cli_flow_show_name(buf, run->outer, as);
		buf_char(buf, '/');
	}
	buf_add(buf, run->bundle->workflow.nodes[i].id);
}

/* Write a coloured sign and " Node '". */
static void
add_sign(struct flow_show *show, const char *colour, const char *sign)
{
	struct buf *out = &show->cli->out;

	buf_str(out, show->cli->colour ? colour : "");
	buf_str(out, sign);
	buf_str(out, show->cli->colour ? "\033[0m" : "");
	buf_str(out, " Node '");
}

static void
begin_line(struct flow_show *show, const char *colour, const char *sign,
    const struct flow_run *run, size_t i)
{
	add_sign(show, colour, sign);
	cli_flow_show_name(&show->cli->out, run, i);
	buf_str(&show->cli->out, "' ");
}

static void
add_age(struct buf *out, uint64_t age_ms)
{
	buf_str(out, " \xc2\xb7 age ");
	duration_write(out, age_ms);
}

void
cli_flow_show_reasons(struct cli *cli, const struct verdict *verdict)
{
	struct buf text = buf_new(cli->arena, 128);

	verdict_reasons_text(&text, verdict);
	cli_text(cli, buf_span(&text));
}

/* Remove the status line. */
static void
hide(struct flow_show *show)
{
	if (show->showing)
		buf_str(&show->cli->out, "\r\033[K");
	show->showing = false;
}

/* ---- events ---- */

enum change { CHANGE_NONE, CHANGE_CONFIG, CHANGE_UPSTREAM, CHANGE_AGE };

/* What kind of change made the node run again. */
static enum change
change_of(const struct verdict *verdict)
{
	if (verdict->first == NULL)
		return CHANGE_NONE;
	switch (verdict->first->reason) {
	case REASON_UPSTREAM:
	case REASON_STRUCTURE:
		return CHANGE_UPSTREAM;
	case REASON_EXPIRED:
	case REASON_TOO_OLD:
	case REASON_FUTURE:
		return CHANGE_AGE;
	case REASON_COMMAND:
	case REASON_CODE:
	case REASON_PARAM:
	case REASON_DEP:
	case REASON_OUT:
	case REASON_OUT_MISSING:
	case REASON_OUTS:
	case REASON_ENV:
	case REASON_FINGERPRINT:
	case REASON_CONFIG:
	case REASON_BLOB:
	case REASON_DAMAGED:
		return CHANGE_CONFIG;
	case REASON_SAME:
	case REASON_FIRST:
	case REASON_FORCED:
	case REASON_SCOPE_OFF:
	case REASON_NO_RUN:
	case REASON_NO_SESSION:
	case REASON_TYPE:
	case REASON_UNRESOLVABLE:
	case REASON_NOT_DONE:
	case REASON_STORE:
		break;
	}
	return CHANGE_NONE;
}

static void
tell_change(struct flow_show *show, const struct flow_run *run, size_t i)
{
	const struct verdict *verdict = &run->nodes[i].verdict;
	bool stage = node_is_stage(&run->bundle->workflow.nodes[i]);
	enum change change = change_of(verdict);
	struct buf *out = &show->cli->out;

	if (change == CHANGE_NONE)
		return;
	begin_line(show, "\033[36m", "\xe2\x84\xb9", run, i);
	switch (change) {
	case CHANGE_UPSTREAM:
		buf_str(out, "invalidated (upstream changed)\n");
		return;
	case CHANGE_AGE:
		cli_flow_show_reasons(show->cli, verdict);
		buf_str(out, ", re-executing...\n");
		return;
	case CHANGE_CONFIG:
	case CHANGE_NONE:
		break;
	}
	if (!stage)
		buf_str(out, "config changed, re-executing... (");
	cli_flow_show_reasons(show->cli, verdict);
	buf_str(out, stage ? ", re-executing...\n" : ")\n");
}

static void
on_decided(void *context, const struct flow_run *run, size_t i)
{
	struct flow_show *show = context;

	if (show->given->quiet || show->cli->json)
		return;
	hide(show);
	tell_change(show, run, i);
	(void)cli_flush(show->cli, CLI_OK);
}

/* Print the end of a failed command's output, indented. */
static void
tell_tail(struct flow_show *show, struct span said)
{
	size_t lines = 0, from = said.n;

	while (from > 0 && lines < TAIL_LINES + (said.p[said.n - 1] == '\n')) {
		from--;
		lines += said.p[from] == '\n';
	}
	if (from > 0 || (from < said.n && said.p[from] == '\n'))
		from++;
	said = span_from(said, from < said.n ? from : said.n);
	while (said.n > 0) {
		buf_str(&show->cli->out, "    ");
		cli_text(show->cli, lines_take(&said));
		buf_char(&show->cli->out, '\n');
	}
}

static void
tell_reused(struct flow_show *show, const struct flow_run *run, size_t i)
{
	const struct node_run *it = &run->nodes[i];
	struct buf *out = &show->cli->out;

	begin_line(show, "\033[32m", "\xe2\x9c\x93", run, i);
	if (it->verdict.tier == TIER_CROSS_RUN) {
		verdict_headline(out, &it->verdict);
		buf_char(out, '\n');
		return;
	}
	buf_str(out, "completed (cached, ");
	add_time(out, it->took_us);
	buf_char(out, ')');
	if (it->verdict.tier == TIER_RUN_CACHE)
		buf_str(out, " \xc2\xb7 restored");
	if (it->verdict.aged)
		add_age(out, it->verdict.age_ms);
	buf_char(out, '\n');
}

static void
tell_bad_end(struct flow_show *show, const struct flow_run *run, size_t i)
{
	const struct node_run *it = &run->nodes[i];
	bool failed = it->outcome == OUTCOME_FAILED;
	struct buf *out = &show->cli->out;

	begin_line(show, failed ? "\033[31m" : "\033[33m",
	    failed ? "\xe2\x9c\x97" : "\xe2\x8f\xb8", run, i);
	buf_str(out, failed ? "failed (" : "blocked (");
	buf_str(out, cli_visible(show->cli, it->error));
	buf_str(out, ", ");
	add_time(out, it->took_us);
	buf_str(out, ")\n");
	if (it->inner == NULL)
		tell_tail(show, run->values[i].err.n > 0 ? run->values[i].err
							 : run->values[i].out);
}

static void
on_ended(void *context, const struct flow_run *run, size_t i)
{
	struct flow_show *show = context;
	const struct node_run *it = &run->nodes[i];
	struct buf *out = &show->cli->out;

	if (run->outer == NULL)
		show->ended++;
	if (show->given->quiet || show->cli->json)
		return;
	hide(show);
	switch (it->outcome) {
	case OUTCOME_REUSED:
		tell_reused(show, run, i);
		break;
	case OUTCOME_DONE:
		begin_line(show, "\033[32m", "\xe2\x9c\x93", run, i);
		buf_str(out, "completed (");
		add_time(out, it->took_us);
		buf_str(out, ")\n");
		break;
	case OUTCOME_FAILED:
	case OUTCOME_BLOCKED:
		tell_bad_end(show, run, i);
		break;
	case OUTCOME_WAITING:
	case OUTCOME_WORKING:
	case OUTCOME_STALE:
		return;
	}
	/*
	 * Reused nodes come in large numbers; write the output only for
	 * others.
	 */
	if (it->outcome != OUTCOME_REUSED || run->working > 0)
		(void)cli_flush(show->cli, CLI_OK);
}

static void
on_remark(
    void *context, const struct flow_run *run, size_t i, const char *sentence)
{
	struct flow_show *show = context;
	struct buf name = buf_new(show->cli->arena, 64);

	if (i < run->bundle->graph.n)
		cli_flow_show_name(&name, run, i);
	else
		buf_add(&name, run->bundle->source.shown);
	hide(show);
	(void)cli_flush(show->cli, CLI_OK);
	(void)cli_unusable(
	    show->cli, arena_cstr(show->cli->arena, buf_span(&name)), sentence);
}

/* Add the names and times of the working nodes, as many as fit on a line. */
static void
add_working(struct buf *out, const struct flow_run *run)
{
	size_t room = out->n + LINE_ROOM;
	uint64_t now = node_clock_us();
	bool first = true;

	for (size_t i = 0; i < run->bundle->graph.n; i++) {
		if (run->nodes[i].outcome != OUTCOME_WORKING)
			continue;
		buf_str(out, first ? "" : ", ");
		first = false;
		if (out->n > room) {
			buf_str(out, "...");
			return;
		}
		cli_flow_show_name(out, run, i);
		buf_char(out, ' ');
		add_time(out, now - run->nodes[i].began_us);
	}
}

static void
on_tick(void *context, const struct flow_run *run)
{
	struct flow_show *show = context;
	const struct flow_run *whole = run;
	struct buf *out = &show->cli->out;

	if (!show->live || show->given->quiet || show->cli->json)
		return;
	while (whole->outer != NULL)
		whole = whole->outer;
	buf_str(out, "\r\033[K[");
	buf_u64(out, show->ended);
	buf_char(out, '/');
	buf_u64(out, whole->bundle->graph.n);
	buf_str(out, "] ");
	add_working(out, run);
	show->showing = true;
	(void)cli_flush(show->cli, CLI_OK);
}

struct engine_listener
cli_flow_show_listener(struct flow_show *show)
{
	return (struct engine_listener){
	    .context = show,
	    .decided = on_decided,
	    .ended = on_ended,
	    .remark = on_remark,
	    .tick = on_tick,
	    .tick_ms = show->live ? TICK_MS : -1,
	};
}

/* ---- the end ---- */

/* Write "3 nodes: 2 cached, 1 executed, 0 not reached (1.2s)". */
static void
tell_counts(
    struct flow_show *show, size_t n, size_t reused, size_t worked, size_t left)
{
	struct buf *out = &show->cli->out;

	amount_count(out, n, "node");
	buf_str(out, ": ");
	buf_u64(out, reused);
	buf_str(out, " cached, ");
	buf_u64(out, worked);
	buf_str(out, " executed");
	if (left > 0) {
		buf_str(out, ", ");
		buf_u64(out, left);
		buf_str(out, " not reached");
	}
	buf_str(out, " (");
	add_time(out, (clock_now() - show->began_ms) * 1000);
	buf_str(out, ")\n");
}

void
cli_flow_show_end(struct flow_show *show, const struct flow_run *run)
{
	size_t n = run->bundle->graph.n, reused = 0, worked = 0, left = 0;

	for (size_t i = 0; i < n; i++) {
		reused += run->nodes[i].outcome == OUTCOME_REUSED;
		worked += run->nodes[i].outcome == OUTCOME_DONE ||
			  run->nodes[i].outcome == OUTCOME_FAILED;
		left += run->nodes[i].outcome == OUTCOME_WAITING &&
			!run->skipped[i];
	}
	hide(show);
	tell_counts(show, n, reused, worked, left);
}

void
cli_flow_show_quiet(
    struct flow_show *show, const struct quiet_text *note)
{
	struct buf *out = &show->cli->out;
	uint64_t now = clock_now();

	for (size_t i = 0; i < note->nnodes; i++) {
		uint64_t created = note->nodes[i].created_ms;

		add_sign(show, "\033[32m", "\xe2\x9c\x93");
		buf_add(out, note->nodes[i].id);
		buf_str(out, "' completed (cached, 0ms)");
		if (created > 0)
			add_age(out, now > created ? now - created : 0);
		buf_char(out, '\n');
	}
	tell_counts(show, note->nnodes, note->nnodes, 0, 0);
}

static void
plan_line(struct flow_show *show, const struct flow_run *run, size_t i)
{
	const struct node_run *it = &run->nodes[i];
	struct buf *out = &show->cli->out;

	buf_str(out, "  ");
	cli_flow_show_name(out, run, i);
	buf_str(out, ": ");
	if (it->outcome == OUTCOME_REUSED) {
		buf_str(out, "cached");
		if (it->verdict.aged)
			add_age(out, it->verdict.age_ms);
	} else {
		buf_str(out, "would run");
	}
	buf_str(out, " (");
	if (it->error != NULL)
		buf_str(out, cli_visible(show->cli, it->error));
	else if (it->inner != NULL)
		buf_str(out, "a workflow");
	else
		cli_flow_show_reasons(show->cli, &it->verdict);
	buf_str(out, ")\n");
	for (size_t k = 0; it->inner != NULL && k < it->inner->bundle->graph.n;
	     k++)
		plan_line(show, it->inner, it->inner->bundle->graph.order[k]);
}

void
cli_flow_show_plan(struct flow_show *show, const struct flow_run *run)
{
	for (size_t k = 0; k < run->bundle->graph.n; k++)
		plan_line(show, run, run->bundle->graph.order[k]);
}
