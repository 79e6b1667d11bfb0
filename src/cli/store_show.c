#include "cli/store_show.h"

#include "base/amount.h"
#include "base/lossy.h"
#include "cli/kept_show.h"
#include "json/emit.h"
#include "store/object.h"

static void
begin_json(const struct store_task *task)
{
	struct buf *out = &task->cli->out;

	buf_char(out, '{');
	emit_number_member(out, "v", 1);
	emit_string_member(out, "store",
	    lossy(task->cli->arena, task->root));
}

static void
emit_flag(struct buf *out, const char *name, bool flag)
{
	emit_name(out, name);
	buf_str(out, flag ? "true" : "false");
}

static void
say_count(struct buf *out, uint64_t n, const char *one, uint64_t bytes)
{
	amount_count(out, n, one);
	buf_str(out, " (");
	amount_bytes(out, bytes);
	buf_char(out, ')');
}

static void
say_absent(const struct store_task *task)
{
	struct buf *out = &task->cli->out;

	buf_str(out, "There is no store at ");
	cli_text(task->cli, task->root);
	buf_str(out, " yet; what is kept first makes it.\n");
}

/* ---- stats ---- */

/* Write a time in milliseconds, as in the protocol; null if there is none. */
static void
emit_time(struct buf *out, const char *name, uint64_t objects, time_t when)
{
	emit_name(out, name);
	if (objects == 0 || when < 0)
		buf_str(out, "null");
	else
		buf_u64(out, (uint64_t)when * 1000);
}

static void
stats_json(const struct store_task *task, const struct store_stats *stats,
    const struct kept_stats *kept)
{
	struct buf *out = &task->cli->out;

	begin_json(task);
	emit_string_member(out, "state",
	    task->absent ? SPAN("absent") : SPAN("ready"));
	emit_number_member(out, "objects", stats->objects);
	emit_number_member(out, "bytes", stats->bytes);
	emit_number_member(out, "maxBytes", task->limits.max_bytes);
	emit_number_member(out, "maxAgeDays", task->limits.max_days);
	emit_time(out, "oldest", stats->objects, stats->oldest);
	emit_time(out, "newest", stats->objects, stats->newest);
	emit_number_member(out, "tempFiles", stats->temps);
	emit_number_member(out, "tempBytes", stats->temp_bytes);
	kept_stats_members(out, kept);
	emit_name(out, "database");
	if (kept->database.dir.n > 0) {
		buf_char(out, '{');
		emit_string_member(out, "dir",
		    lossy(task->cli->arena, kept->database.dir));
		emit_number_member(out, "bytes", kept->database.bytes);
		buf_str(out, "}");
	} else {
		buf_str(out, "null");
	}
	buf_str(out, "}\n");
}

void
store_show_stats(const struct store_task *task,
    const struct store_stats *stats, const struct kept_stats *kept)
{
	struct buf *out = &task->cli->out;

	if (task->cli->json) {
		stats_json(task, stats, kept);
		return;
	}
	if (task->absent) {
		say_absent(task);
		return;
	}
	buf_str(out, "store            ");
	cli_text(task->cli, task->root);
	buf_str(out, "\nfile versions    ");
	buf_u64(out, stats->objects);
	buf_str(out, "\nsize             ");
	amount_bytes(out, stats->bytes);
	buf_str(out, stats->bytes > task->limits.max_bytes ? ", over the limit of "
						   : " of at most ");
	amount_bytes(out, task->limits.max_bytes);
	if (stats->objects > 0) {
		buf_str(out, "\nlast used        ");
		amount_time(out, stats->oldest);
		buf_str(out, " (oldest) to ");
		amount_time(out, stats->newest);
	}
	buf_str(out, "\ntemporary files  ");
	buf_u64(out, stats->temps);
	buf_char(out, '\n');
	kept_stats_text(out, kept, task->limits.max_bytes);
	buf_str(out, "database         ");
	if (kept->database.dir.n > 0) {
		cli_text(task->cli, kept->database.dir);
		buf_str(out, " (");
		amount_bytes(out, kept->database.bytes);
		buf_char(out, ')');
	} else {
		buf_str(out, "none");
	}
	buf_char(out, '\n');
}

/* ---- verify ---- */

static void
verify_json(const struct store_task *task,
    const struct verify_result *result, const struct kept_verified *kept)
{
	struct buf *out = &task->cli->out;
	const char *comma = "";

	begin_json(task);
	emit_flag(out, "dryRun", task->dry);
	emit_number_member(out, "objects", result->objects);
	emit_number_member(out, "bytes", result->bytes);
	emit_name(out, "damaged");
	buf_char(out, '[');
	for (struct verify_found *f = result->found; f != NULL; f = f->next) {
		char name[OBJECT_NAME];

		object_name(&f->hash, name);
		buf_str(out, comma);
		buf_char(out, '{');
		emit_string_member(out, "name", span_str(name));
		emit_string_member(out, "why",
		    span_str(verify_damage_text(f->damage)));
		emit_flag(out, "removed", f->removed);
		buf_char(out, '}');
		comma = ",";
	}
	buf_char(out, ']');
	kept_verified_members(out, kept);
	buf_str(out, "}\n");
}

static void
say_damaged(const struct store_task *task, const struct verify_found *found)
{
	struct buf *out = &task->cli->out;
	char name[OBJECT_NAME];

	object_name(&found->hash, name);
	buf_str(out, name);
	buf_str(out, ": ");
	buf_str(out, verify_damage_text(found->damage));
	if (found->removed)
		buf_str(out, "; removed");
	else if (!task->dry)
		buf_str(out, "; it could not be removed");
	buf_str(out, ".\n");
}

void
store_show_verify(const struct store_task *task,
    const struct verify_result *result, const struct kept_verified *kept)
{
	struct buf *out = &task->cli->out;

	if (task->cli->json) {
		verify_json(task, result, kept);
		return;
	}
	if (task->absent) {
		say_absent(task);
		return;
	}
	for (struct verify_found *f = result->found; f != NULL; f = f->next)
		say_damaged(task, f);
	say_count(out, result->objects, "file version", result->bytes);
	buf_str(out, " checked, ");
	buf_u64(out, result->damaged);
	buf_str(out, " damaged.\n");
	kept_verified_text(task->cli, kept, task->dry);
}

/* ---- gc ---- */

static void
emit_pair(struct buf *out, const char *name, uint64_t n, uint64_t bytes)
{
	emit_name(out, name);
	buf_char(out, '{');
	emit_number_member(out, "count", n);
	emit_number_member(out, "bytes", bytes);
	buf_char(out, '}');
}

static void
gc_json(const struct store_task *task, const struct gc_result *result,
    const struct kept_gone *kept)
{
	struct buf *out = &task->cli->out;

	begin_json(task);
	emit_flag(out, "dryRun", task->dry);
	emit_number_member(out, "maxBytes", task->limits.max_bytes);
	emit_number_member(out, "maxAgeDays", task->limits.max_days);
	emit_pair(out, "before", result->objects, result->bytes);
	emit_pair(out, "removed", result->gone, result->gone_bytes);
	emit_pair(out, "after", result->objects - result->gone,
	    result->bytes - result->gone_bytes);
	emit_pair(out, "tempFiles", result->temps, result->temp_bytes);
	kept_gone_members(out, kept);
	buf_str(out, "}\n");
}

static void
gc_text(const struct store_task *task, const struct gc_result *result)
{
	struct buf *out = &task->cli->out;
	uint64_t left = result->bytes - result->gone_bytes;

	if (result->gone == 0 && result->temps == 0) {
		buf_str(out, "Nothing to remove of ");
		say_count(out, result->objects, "file version", left);
		buf_str(out, ".\n");
	} else {
		buf_str(out, task->dry ? "Would remove " : "Removed ");
		say_count(
		    out, result->gone, "file version", result->gone_bytes);
		buf_str(out, " and ");
		say_count(out, result->temps, "old temporary file",
		    result->temp_bytes);
		buf_str(out, "; ");
		say_count(out, result->objects - result->gone,
		    "file version", left);
		buf_str(out, task->dry ? " would be left.\n" : " left.\n");
	}
	if (left > task->limits.max_bytes) {
		buf_str(out, "That is over the limit of ");
		amount_bytes(out, task->limits.max_bytes);
		buf_str(out, ": what was used within the last hour stays."
			     "\n");
	}
}

void
store_show_gc(const struct store_task *task, const struct gc_result *result,
    const struct kept_gone *kept)
{
	if (task->cli->json) {
		gc_json(task, result, kept);
	} else if (task->absent) {
		say_absent(task);
	} else {
		gc_text(task, result);
		kept_gone_text(&task->cli->out, kept, task->dry);
	}
}

/* ---- clear ---- */

void
store_show_clear(
    const struct store_task *task, const struct clear_result *cleared)
{
	struct buf *out = &task->cli->out;

	if (task->cli->json) {
		begin_json(task);
		emit_number_member(out, "removed", cleared->gone);
		emit_number_member(out, "left", cleared->left);
		buf_str(out, "}\n");
		return;
	}
	buf_str(out, "Removed ");
	amount_count(out, cleared->gone, "file");
	buf_str(out, ".\n");
	if (cleared->left == 0)
		return;
	buf_str(out, "Left alone, as no store has made it: ");
	cli_text(task->cli, cleared->first);
	if (cleared->left > 1) {
		buf_str(out, " and ");
		amount_count(out, cleared->left - 1, "other thing");
	}
	buf_str(out, ".\n");
}
