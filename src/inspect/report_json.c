#include "inspect/replay.h"
#include "inspect/report.h"
#include "json/emit.h"
#include "serve/response.h"

enum { SHORT_HASH = 12 }; /* digits: enough to tell versions apart */

/* ---- members ---- */

static void
emit_bool_member(struct buf *buf, const char *name, bool yes)
{
	emit_name(buf, name);
	buf_str(buf, yes ? "true" : "false");
}

/* What SUM saved, in units of UNIT bytes; negative if it cost more. */
static void
emit_saved_member(struct buf *buf, const char *name,
    const struct report_sum *sum, uint64_t unit)
{
	bool cost = sum->baseline_bytes < sum->served_bytes;
	uint64_t bytes = cost ? sum->served_bytes - sum->baseline_bytes
			      : sum->baseline_bytes - sum->served_bytes;

	emit_name(buf, name);
	if (cost && bytes >= unit)
		buf_char(buf, '-');
	buf_u64(buf, bytes / unit);
}

/* An index, or null. */
static void
emit_index_member(struct buf *buf, const char *name, uint32_t index)
{
	emit_name(buf, name);
	if (index == REPORT_NONE)
		buf_str(buf, "null");
	else
		buf_u64(buf, index);
}

static void
emit_optional_member(struct buf *buf, const char *name, struct span text)
{
	if (text.n > 0)
		emit_string_member(buf, name, text);
}

static void
emit_scope_member(struct buf *buf, struct scope scope)
{
	emit_name(buf, "scope");
	buf_char(buf, '"');
	scope_write(buf, scope);
	buf_char(buf, '"');
}

static void
emit_hash(struct buf *buf, const struct digest *hash)
{
	char hex[DIGEST_HEX + 1];

	digest_hex(hash, hex);
	emit_string(buf, (struct span){hex, SHORT_HASH});
}

/* Begin the next item of a list: a comma, unless it is the first. */
static void
next_item(struct buf *buf)
{
	if (buf->p[buf->n - 1] != '[')
		buf_char(buf, ',');
}

/* ---- sums ---- */

static void
emit_sum(struct buf *buf, const struct report_sum *sum)
{
	emit_number_member(buf, "reads", sum->reads);
	emit_name(buf, "modes");
	buf_char(buf, '{');
	for (int m = 0; m < MODE_COUNT; m++)
		emit_number_member(buf, mode_name((enum mode)m),
		    sum->modes[m]);
	buf_char(buf, '}');
	emit_number_member(buf, "compact", report_compact(sum));
	emit_number_member(buf, "violations", sum->violations);
	emit_number_member(buf, "baselineBytes", sum->baseline_bytes);
	emit_number_member(buf, "servedBytes", sum->served_bytes);
	emit_saved_member(buf, "savedBytes", sum, 1);
	emit_saved_member(buf, "savedTokens", sum, RESPONSE_BYTES_PER_TOKEN);
}

static void
emit_modes(struct buf *buf, const struct report *report)
{
	emit_name(buf, "byMode");
	buf_char(buf, '{');
	for (int m = 0; m < MODE_COUNT; m++) {
		const struct report_sum *sum = &report->by_mode[m];

		emit_name(buf, mode_name((enum mode)m));
		buf_char(buf, '{');
		emit_number_member(buf, "reads", sum->reads);
		emit_number_member(buf, "baselineBytes", sum->baseline_bytes);
		emit_number_member(buf, "servedBytes", sum->served_bytes);
		emit_saved_member(buf, "savedBytes", sum, 1);
		buf_char(buf, '}');
	}
	buf_char(buf, '}');
}

static void
emit_shadow(struct buf *buf, const struct report *report)
{
	if (report->sum.reads == 0)
		return;
	emit_name(buf, "shadow");
	buf_char(buf, '{');
	emit_name(buf, "strict");
	buf_char(buf, '{');
	emit_sum(buf, &report->shadow.strict);
	buf_char(buf, '}');
	emit_name(buf, "coverage");
	buf_char(buf, '{');
	emit_sum(buf, &report->shadow.coverage);
	buf_char(buf, '}');
	emit_number_member(buf, "recordedCompact", report->shadow.compact);
	buf_char(buf, '}');
}

static void
emit_reasons(struct buf *buf, const struct report *report)
{
	emit_name(buf, "reasons");
	buf_char(buf, '[');
	for (int r = 0; r < REASON_COUNT; r++) {
		if (report->reasons[r] == 0)
			continue;
		next_item(buf);
		buf_char(buf, '{');
		emit_string_member(buf, "reason",
		    span_str(report_reason_name((enum report_reason)r)));
		emit_number_member(buf, "reads", report->reasons[r]);
		emit_number_member(buf, "servedBytes",
		    report->reason_bytes[r]);
		buf_char(buf, '}');
	}
	buf_char(buf, ']');
}

static void
emit_files(struct buf *buf, const struct report *report)
{
	emit_name(buf, "files");
	buf_char(buf, '[');
	for (uint32_t i = 0; i < report->nfiles; i++) {
		const struct report_file *file = &report->files[i];

		next_item(buf);
		buf_char(buf, '{');
		emit_string_member(buf, "path", file->path);
		emit_string_member(buf, "shown", file->shown);
		emit_sum(buf, &file->sum);
		buf_char(buf, '}');
	}
	buf_char(buf, ']');
}

/* ---- the tree ---- */

static void
emit_stretches(struct buf *buf, const struct report *report)
{
	emit_name(buf, "stretches");
	buf_char(buf, '[');
	for (uint32_t i = 0; i < report->nstretches; i++) {
		const struct report_stretch *stretch = &report->stretches[i];

		next_item(buf);
		buf_char(buf, '{');
		emit_index_member(buf, "parent", stretch->parent);
		emit_number_member(buf, "firstLine", stretch->first_line);
		emit_number_member(buf, "lastLine", stretch->last_line);
		emit_number_member(buf, "entries", stretch->entries);
		emit_string_member(buf, "lastId", stretch->last_id);
		emit_bool_member(buf, "leaf", !stretch->forks);
		if (stretch->orphan)
			emit_bool_member(buf, "orphan", true);
		buf_char(buf, '}');
	}
	buf_char(buf, ']');
}

static void
emit_keys(struct buf *buf, const struct report *report)
{
	emit_name(buf, "keys");
	buf_char(buf, '[');
	for (uint32_t i = 0; i < report->nkeys; i++) {
		const struct report_key *key = &report->keys[i];
		const struct report_file *file = &report->files[key->file];

		next_item(buf);
		buf_char(buf, '{');
		emit_number_member(buf, "file", key->file);
		if (!span_eq(key->name, file->path))
			emit_string_member(buf, "name", key->name);
		emit_scope_member(buf, key->scope);
		buf_char(buf, '}');
	}
	buf_char(buf, ']');
}

/* ---- steps ---- */

/* The name in JSON. */
static const char *
found_name(enum trust_find found)
{
	switch (found) {
	case TRUST_FOUND:
		return "found";
	case TRUST_NEVER:
		return "never";
	case TRUST_REFRESHED:
		return "refreshed";
	case TRUST_MOVED:
		break;
	}
	return "moved";
}

static void
emit_base(struct buf *buf, const struct report_read *read)
{
	emit_name(buf, "base");
	buf_char(buf, '{');
	emit_string_member(buf, "trust", span_str(found_name(read->found)));
	if (read->found == TRUST_FOUND) {
		emit_name(buf, "hash");
		emit_hash(buf, &read->base_hash);
		emit_index_member(buf, "step", read->base);
	}
	buf_char(buf, '}');
}

static void
emit_read(struct buf *buf, const struct report_read *read)
{
	emit_number_member(buf, "file", read->file);
	emit_optional_member(buf, "name", read->name);
	emit_optional_member(buf, "time", read->time);
	emit_string_member(buf, "mode", span_str(mode_name(read->mode)));
	if (read->reason != REASON_NONE)
		emit_string_member(buf, "reason",
		    span_str(report_reason_name(read->reason)));
	emit_number_member(buf, "baselineBytes", read->baseline_bytes);
	emit_number_member(buf, "servedBytes", read->served_bytes);
	emit_optional_member(buf, "violation", read->violation);
	if (read->offset > 0)
		emit_number_member(buf, "offset", read->offset);
	if (read->limit > 0)
		emit_number_member(buf, "limit", read->limit);
	if (read->mode == MODE_PLAIN)
		return;
	emit_scope_member(buf, read->scope);
	emit_name(buf, "hash");
	emit_hash(buf, &read->hash);
	if (read->pieces > 0)
		emit_number_member(buf, "pieces", read->pieces);
	if (read->calls > 0)
		emit_number_member(buf, "ownChanges", read->calls);
	emit_base(buf, read);
	emit_bool_member(buf, "evidence", read->doubt == DOUBT_NONE);
	if (read->doubt != DOUBT_NONE)
		emit_string_member(buf, "why",
		    span_str(replay_why(read->doubt, read->pieces > 0)));
}

static void
emit_changes(struct buf *buf, const struct report *report,
    const struct report_step *step)
{
	if (step->forgets)
		emit_bool_member(buf, "forgets", true);
	if (step->nchanges == 0)
		return;
	/* [key, hash]: trusted from now on; [key]: not any more. */
	emit_name(buf, "changes");
	buf_char(buf, '[');
	for (uint32_t i = 0; i < step->nchanges; i++) {
		const struct report_change *change =
		    &report->changes[step->changes_from + i];

		next_item(buf);
		buf_char(buf, '[');
		buf_u64(buf, change->key);
		if (change->trusted) {
			buf_char(buf, ',');
			emit_hash(buf, &change->hash);
		}
		buf_char(buf, ']');
	}
	buf_char(buf, ']');
}

static const char *
kind_name(enum report_kind kind)
{
	switch (kind) {
	case REPORT_READ:
		return "read";
	case REPORT_COMPACTION:
		return "compaction";
	case REPORT_EDIT:
		return "edit";
	case REPORT_REFRESH:
		return "refresh";
	case REPORT_UNREADABLE:
		break;
	}
	return "unreadable";
}

static void
emit_step(struct buf *buf, const struct report *report,
    const struct report_step *step)
{
	buf_char(buf, '{');
	emit_string_member(buf, "kind", span_str(kind_name(step->kind)));
	emit_number_member(buf, "stretch", step->stretch);
	emit_number_member(buf, "line", step->line);
	emit_optional_member(buf, "entryId", step->id);
	if (step->kind == REPORT_READ) {
		emit_read(buf, &step->read);
	} else if (step->kind == REPORT_EDIT) {
		emit_optional_member(buf, "target", step->target);
		emit_bool_member(buf, "replaced", step->replaced);
	} else if (step->kind == REPORT_REFRESH) {
		emit_optional_member(buf, "path", step->refreshed);
		if (step->refreshed.n > 0)
			emit_scope_member(buf, step->scope);
	}
	emit_changes(buf, report, step);
	buf_char(buf, '}');
}

static void
emit_report(struct buf *buf, const struct report *report)
{
	buf_char(buf, '{');
	emit_string_member(buf, "file", report->file);
	emit_string_member(buf, "cwd", report->cwd);
	emit_number_member(buf, "version", report->version);
	emit_number_member(buf, "bytes", report->bytes);
	emit_number_member(buf, "entries", report->entries);
	emit_number_member(buf, "skippedLines", report->skipped);
	emit_bool_member(buf, "readcache", report->cached);
	emit_sum(buf, &report->sum);
	emit_modes(buf, report);
	emit_shadow(buf, report);
	emit_reasons(buf, report);
	emit_files(buf, report);
	emit_index_member(buf, "lastStretch", report->last);
	emit_stretches(buf, report);
	emit_keys(buf, report);
	emit_name(buf, "steps");
	buf_char(buf, '[');
	for (uint32_t i = 0; i < report->nsteps; i++) {
		next_item(buf);
		emit_step(buf, report, &report->steps[i]);
	}
	buf_str(buf, "]}");
}

/* The page need not know which modes are compact. */
static void
emit_compact_modes(struct buf *buf)
{
	emit_name(buf, "compactModes");
	buf_char(buf, '[');
	for (int m = 0; m < MODE_COUNT; m++) {
		if (!mode_is_compact((enum mode)m))
			continue;
		next_item(buf);
		emit_string(buf, span_str(mode_name((enum mode)m)));
	}
	buf_char(buf, ']');
}

void
report_json(struct buf *buf, const struct report *reports, size_t n)
{
	struct report_sum all = {0};

	for (size_t i = 0; i < n; i++)
		report_add(&all, &reports[i].sum);
	buf_str(buf, "{\"v\":1");
	emit_string_member(buf, "estimator", SPAN(RESPONSE_ESTIMATOR));
	emit_sum(buf, &all);
	emit_compact_modes(buf);
	emit_name(buf, "sessions");
	buf_char(buf, '[');
	for (size_t i = 0; i < n; i++) {
		next_item(buf);
		emit_report(buf, &reports[i]);
	}
	buf_str(buf, "]}");
}
