/* memo key, get, set and rm: values under keys that the caller has. */
#include <errno.h>
#include <stdio.h>

#include "base/base64.h"
#include "base/utf8.h"
#include "cli/memo.h"
#include "cli/tidy.h"
#include "json/emit.h"
#include "work/key/agent.h"

/* ---- key ---- */

int
memo_key(struct memo_task *task)
{
	const struct memo_arguments *a = task->arguments;
	struct agent_call call = {.agent = option_text(a->agent),
	    .system = option_text(a->system),
	    .model = option_text(a->model),
	    .turns = a->turns.at,
	    .nturns = a->turns.n};
	char hex[DIGEST_HEX + 1];
	struct digest key;
	const char *fault;

	if (task->names.n > 0)
		return cli_usage(task->cli, "memo key takes options only.");
	if (a->system != NULL && a->system_file != NULL)
		return cli_usage(task->cli,
		    "--system and --system-file exclude each other.");
	if (a->system_file != NULL &&
	    !memo_read_file(task->cli, a->system_file, &call.system))
		return CLI_USAGE;
	for (size_t i = 0; i < a->turns.n; i++)
		if (a->turns.marks[i] == MEMO_TURN_IN_FILE &&
		    !memo_read_file(
			task->cli, a->turns.at[i].p, &a->turns.at[i]))
			return CLI_USAGE;
	fault = agent_key(&call, &key);
	if (fault != NULL)
		return cli_usage(task->cli, fault);
	digest_hex(&key, hex);
	buf_str(&task->cli->out, hex);
	buf_char(&task->cli->out, '\n');
	return CLI_OK;
}

/* ---- what get, set and rm share ---- */

/* The key, which must be the only name.  p is NULL after a message. */
static struct span
take_key(struct memo_task *task)
{
	struct span key = {NULL, 0};

	if (task->names.n != 1) {
		(void)cli_usage(task->cli, "give one key.");
		return key;
	}
	return span_str(task->names.at[0]);
}

static const char key_fault[] =
    "a key is 8 to 64 hexadecimal digits in lower case.";

/* ---- get ---- */

static struct verdict
judge(struct memo_task *task, enum record_got got, const struct record *r)
{
	struct verdict verdict = {.decision = DECISION_WORK};

	if (got == RECORD_HIT)
		verdict_reuse(&verdict, TIER_CROSS_RUN, r->life.created_ms);
	else
		verdict_because(task->cli->arena, &verdict, record_reason(got));
	return verdict;
}

static void
show_json(struct memo_task *task, struct span key,
    const struct verdict *verdict, const struct record *record)
{
	struct buf *out = &task->cli->out;
	bool hit = verdict->decision == DECISION_REUSE;

	buf_char(out, '{');
	emit_number_member(out, "v", 1);
	emit_name(out, "hit");
	buf_str(out, hit ? "true" : "false");
	if (utf8_valid(key))
		emit_string_member(out, "key", key);
	if (hit && utf8_valid(record->value)) {
		emit_string_member(out, "value", record->value);
	} else if (hit) {
		emit_name(out, "value");
		buf_char(out, '"');
		base64_write(out, record->value);
		buf_char(out, '"');
		emit_string_member(out, "encoding", SPAN("base64"));
	}
	if (hit) {
		emit_number_member(out, "expires_at", record->life.expires_at);
		emit_number_member(out, "createdAt", record->life.created_ms);
		if (record->model.p != NULL)
			emit_string_member(out, "model", record->model);
		if (record->creator.p != NULL)
			emit_string_member(out, "creator", record->creator);
	}
	verdict_members(out, verdict);
	buf_str(out, "}\n");
}

static void
explain(struct memo_task *task, const struct verdict *verdict)
{
	struct buf text = buf_new(task->cli->arena, 128);

	verdict_headline(&text, verdict);
	buf_str(&text, ": ");
	verdict_reasons_text(&text, verdict);
	(void)fprintf(stderr, "%s\n",
	    cli_visible(
		task->cli, arena_cstr(task->cli->arena, buf_span(&text))));
}

int
memo_get(struct memo_task *task)
{
	const char *ttl = task->arguments->ttl;
	struct span key = take_key(task);
	struct verdict verdict;
	struct record record;
	enum record_got got;
	uint64_t max_age = 0;

	if (key.p == NULL)
		return CLI_USAGE;
	if (ttl != NULL && !duration_parse(span_str(ttl), &max_age))
		return cli_unusable(task->cli, ttl, duration_fault);
	got = record_load(&task->records, key, max_age, RECORD_USE, &record);
	verdict = judge(task, got, &record);
	if (task->cli->json)
		show_json(task, key, &verdict, &record);
	else if (got == RECORD_HIT)
		buf_add(&task->cli->out, record.value);
	if (task->arguments->explain)
		explain(task, &verdict);
	if (got == RECORD_FAILED)
		return memo_store_failed(
		    task, "the record cannot be read", errno);
	if (got == RECORD_HIT)
		return CLI_OK;
	/* Is the record absent, or can the store not be used? */
	return store_check(task->cli, &task->opened) == CLI_OK ? CLI_FOUND
							       : CLI_STORE;
}

/* ---- set ---- */

/* "0" means for ever; anything else is a duration. */
static bool
parse_lifetime(const char *text, uint64_t *ttl_ms)
{
	*ttl_ms = 0;
	return text == NULL || strcmp(text, "0") == 0 ||
	       duration_parse(span_str(text), ttl_ms);
}

static int
tell_in_the_way(struct memo_task *task, struct span key, const char *what)
{
	struct buf path = buf_new(task->cli->arena, 128);

	buf_add(&path, task->opened.store.root);
	buf_str(&path, records_are_plain(&task->records) ? "/" : "/memo/");
	buf_add(&path, key);
	buf_str(&path, ".json");
	(void)cli_unusable(
	    task->cli, arena_cstr(task->cli->arena, buf_span(&path)), what);
	return CLI_STORE;
}

int
memo_set(struct memo_task *task)
{
	const struct memo_arguments *a = task->arguments;
	struct cli *cli = task->cli;
	struct record record = {.key = take_key(task),
	    .life.created_ms = clock_now(),
	    .kind = SPAN("memo"),
	    .status = SPAN("done"),
	    .creator = record_creator(cli->arena),
	    .tool_version = SPAN(READCACHE_VERSION)};

	if (record.key.p == NULL)
		return CLI_USAGE;
	if (!record_key_valid(record.key))
		return cli_unusable(
		    cli, arena_cstr(cli->arena, record.key), key_fault);
	if (!parse_lifetime(a->ttl, &record.life.ttl_ms))
		return cli_unusable(cli, a->ttl, duration_fault);
	if (a->model != NULL)
		record.model = span_str(a->model);
	if (!(a->file != NULL ? memo_read_file(cli, a->file, &record.value)
			      : memo_read_input(cli, &record.value)))
		return CLI_USAGE;
	if (record.value.n == 0)
		return cli_usage(cli, "there is nothing to keep: the value is "
				      "empty.");
	record.life.expires_at =
	    clock_expiry(record.life.created_ms, record.life.ttl_ms);
	errno = 0;
	if (!record_save(&task->records, &record)) {
		int error = errno;

		if (store_check(cli, &task->opened) != CLI_OK)
			return CLI_STORE;
		if (error == EISDIR)
			return tell_in_the_way(task, record.key,
			    "nothing was kept: it is a directory with "
			    "something in it; remove it.");
		if (error == EEXIST)
			return tell_in_the_way(task, record.key,
			    "nothing was kept: it is not a record, so it is "
			    "left; remove it, or name another store.");
		return memo_store_failed(task, "nothing was kept", error);
	}
	return tidy(cli, &task->opened, CLI_OK);
}

/* ---- rm ---- */

int
memo_rm(struct memo_task *task)
{
	int status = CLI_OK;

	if (task->names.n == 0)
		return cli_usage(task->cli, "give the keys to remove.");
	for (int i = 0; i < task->names.n; i++) {
		struct span key = span_str(task->names.at[i]);

		if (!record_key_valid(key))
			return cli_unusable(
			    task->cli, task->names.at[i], key_fault);
		if (!record_remove(&task->records, key))
			status = CLI_FOUND;
	}
	return status;
}
