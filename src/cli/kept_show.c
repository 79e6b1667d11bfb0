#include "cli/kept_show.h"

#include "base/amount.h"
#include "json/emit.h"

static void
emit_counts(struct buf *out, const char *name, uint64_t n, uint64_t bytes)
{
	emit_name(out, name);
	buf_char(out, '{');
	emit_number_member(out, "count", n);
	emit_number_member(out, "bytes", bytes);
}

/* ---- stats ---- */

void
kept_stats_members(struct buf *out, const struct kept_stats *kept)
{
	emit_counts(out, "records", kept->records, kept->record_bytes);
	buf_char(out, '}');
	emit_counts(out, "outputs", kept->outputs, kept->output_bytes);
	buf_char(out, '}');
}

void
kept_stats_text(
    struct buf *out, const struct kept_stats *kept, uint64_t max_bytes)
{
	buf_str(out, "results          ");
	buf_u64(out, kept->records);
	buf_str(out, " (");
	amount_bytes(out, kept->record_bytes);
	buf_str(out, kept->record_bytes > max_bytes ? ", over the limit of "
						    : " of at most ");
	amount_bytes(out, max_bytes);
	buf_str(out, ")\nkept outputs     ");
	buf_u64(out, kept->outputs);
	buf_str(out, " (");
	amount_bytes(out, kept->output_bytes);
	buf_str(out, ", no limit)\n");
}

/* ---- verify ---- */

void
kept_verified_members(struct buf *out, const struct kept_verified *kept)
{
	emit_number_member(out, "records", kept->records);
	emit_number_member(out, "outputs", kept->outputs);
	emit_name(out, "damagedKept");
	buf_char(out, '[');
	for (struct kept_fault *f = kept->first; f != NULL; f = f->next) {
		if (f != kept->first)
			buf_char(out, ',');
		buf_char(out, '{');
		emit_string_member(out, "name", f->name);
		emit_name(out, "removed");
		buf_str(out, f->removed ? "true}" : "false}");
	}
	buf_char(out, ']');
}

void
kept_verified_text(struct cli *cli, const struct kept_verified *kept, bool dry)
{
	struct buf *out = &cli->out;

	for (struct kept_fault *f = kept->first; f != NULL; f = f->next) {
		cli_text(cli, f->name);
		buf_str(out, f->left ? ": it is not a record"
				     : ": it is not what was written");
		if (f->removed)
			buf_str(out, "; removed");
		else if (f->left)
			buf_str(out, "; left, as no store may have made it");
		else if (!dry)
			buf_str(out, "; it could not be removed");
		buf_str(out, ".\n");
	}
	if (kept->records + kept->outputs == 0)
		return;
	amount_count(out, kept->records, "result");
	buf_str(out, " and ");
	amount_count(out, kept->outputs, "kept output");
	buf_str(out, " checked, ");
	buf_u64(out, kept->damaged);
	buf_str(out, " damaged.\n");
}

/* ---- gc ---- */

static void
emit_gone(struct buf *out, uint64_t n, uint64_t bytes)
{
	emit_counts(out, "removed", n, bytes);
	buf_str(out, "}}");
}

void
kept_gone_members(struct buf *out, const struct kept_gone *kept)
{
	emit_counts(out, "records", kept->records.records, kept->records.bytes);
	emit_gone(out, kept->records.gone, kept->records.gone_bytes);
	emit_counts(out, "outputs", kept->outputs.blobs, kept->outputs.bytes);
	emit_gone(out, kept->outputs.gone, kept->outputs.gone_bytes);
}

void
kept_gone_text(struct buf *out, const struct kept_gone *kept, bool dry)
{
	if (kept->records.records == 0 && kept->outputs.blobs == 0)
		return;
	if (kept->records.gone == 0 && kept->outputs.gone == 0) {
		buf_str(out, "Nothing to remove of ");
		amount_count(out, kept->records.records, "result");
		buf_str(out, " and ");
		amount_count(out, kept->outputs.blobs, "kept output");
		buf_str(out, ".\n");
		return;
	}
	buf_str(out, dry ? "Would remove " : "Removed ");
	buf_u64(out, kept->records.gone);
	buf_str(out, " of ");
	amount_count(out, kept->records.records, "result");
	buf_str(out, " and ");
	buf_u64(out, kept->outputs.gone);
	buf_str(out, " of ");
	amount_count(out, kept->outputs.blobs, "kept output");
	buf_str(out, ".\n");
}
