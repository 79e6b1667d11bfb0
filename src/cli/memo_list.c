/*
 * memo ls and clear.
 */
#include "base/amount.h"
#include "cli/memo.h"
#include "json/emit.h"
#include "work/record/list.h"

/* ---- ls ---- */

static void
emit_flagged(struct buf *out, const char *name, struct span text)
{
	if (text.n > 0)
		emit_string_member(out, name, text);
}

static void
info_json(struct buf *out, const struct record_info *info)
{
	buf_char(out, '{');
	emit_string_member(out, "key", info->key);
	emit_number_member(out, "bytes", info->bytes);
	emit_number_member(out, "lastUsed", (uint64_t)info->used * 1000);
	if (!info->sound) {
		emit_name(out, "damaged");
		buf_str(out, "true}");
		return;
	}
	emit_number_member(out, "createdAt",
	    info->life.created_ms != 0 ? info->life.created_ms
				       : (uint64_t)info->made * 1000);
	emit_number_member(out, "expires_at", info->life.expires_at);
	emit_flagged(out, "kind", info->kind);
	emit_flagged(out, "flow", info->flow);
	emit_flagged(out, "phaseId", info->phase);
	emit_flagged(out, "runId", info->run_id);
	emit_flagged(out, "model", info->model);
	buf_char(out, '}');
}

static void
list_json(struct cli *cli, const struct record_list *list)
{
	struct buf *out = &cli->out;

	buf_char(out, '{');
	emit_number_member(out, "v", 1);
	emit_name(out, "records");
	buf_char(out, '[');
	for (size_t i = 0; i < list->n; i++) {
		if (i > 0)
			buf_char(out, ',');
		info_json(out, &list->items[i]);
	}
	buf_str(out, "]}\n");
}

static void
show_info(struct cli *cli, const struct record_info *info)
{
	struct buf *out = &cli->out;
	uint64_t now = clock_now(), created = info->life.created_ms;

	buf_add(out, info->key);
	buf_str(out, "  ");
	amount_bytes(out, info->bytes);
	if (!info->sound) {
		buf_str(out, "  damaged\n");
		return;
	}
	if (created == 0)
		created = (uint64_t)info->made * 1000;
	buf_str(out, "  age ");
	duration_write(out, now > created ? now - created : 0);
	if (info->phase.n > 0) {
		buf_str(out, "  ");
		if (info->flow.n > 0) {
			cli_text(cli, info->flow);
			buf_char(out, '/');
		}
		cli_text(cli, info->phase);
	}
	if (clock_judge(&info->life, 0, now) == STALE_EXPIRED)
		buf_str(out, "  expired");
	buf_char(out, '\n');
}

/*
 * List the records, with the help of the state.  Nothing is changed, not even
 * the state.
 */
static struct record_list
find_records(struct memo_task *task)
{
	struct state *state = state_open(&task->opened.store, DIR_LOOK);
	struct record_list list = record_list(&task->records, state);

	state_close(state);
	return list;
}

int
memo_ls(struct memo_task *task)
{
	struct cli *cli = task->cli;
	struct record_list list;

	if (task->names.n > 0)
		return cli_usage(cli, "memo ls takes no arguments.");
	if (store_check(cli, &task->opened) != CLI_OK)
		return CLI_STORE;
	list = find_records(task);
	if (cli->json) {
		list_json(cli, &list);
		return CLI_OK;
	}
	for (size_t i = 0; i < list.n; i++)
		show_info(cli, &list.items[i]);
	if (list.n == 0)
		buf_str(&cli->out, "Nothing is kept.\n");
	return CLI_OK;
}

/* ---- clear ---- */

static bool
is_wanted(const struct memo_arguments *a, const struct record_info *info)
{
	if (a->flow != NULL && !span_eq(info->flow, span_str(a->flow)))
		return false;
	if (a->phase != NULL && !span_eq(info->phase, span_str(a->phase)))
		return false;
	return !a->expired ||
	       clock_judge(&info->life, 0, clock_now()) == STALE_EXPIRED;
}

int
memo_clear(struct memo_task *task)
{
	struct cli *cli = task->cli;
	struct record_list list;
	uint64_t gone = 0, left = 0;

	if (task->names.n > 0)
		return cli_usage(cli, "memo clear takes options only.");
	if (store_check(cli, &task->opened) != CLI_OK)
		return CLI_STORE;
	list = find_records(task);
	for (size_t i = 0; i < list.n; i++) {
		if (!is_wanted(task->arguments, &list.items[i]))
			continue;
		if (record_remove(&task->records, list.items[i].key))
			gone++;
		else if (dir_is_shared(&task->opened.store))
			left++;
	}
	if (cli->json) {
		buf_char(&cli->out, '{');
		emit_number_member(&cli->out, "v", 1);
		emit_number_member(&cli->out, "removed", gone);
		emit_number_member(&cli->out, "left", left);
		buf_str(&cli->out, "}\n");
		return CLI_OK;
	}
	buf_str(&cli->out, "Removed ");
	amount_count(&cli->out, gone, "record");
	buf_str(&cli->out, ".\n");
	if (left > 0) {
		buf_str(
		    &cli->out, "Left alone, as no store may have made it: ");
		amount_count(&cli->out, left, "file");
		buf_str(&cli->out, ".\n");
	}
	return CLI_OK;
}
