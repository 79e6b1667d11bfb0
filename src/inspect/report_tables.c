#include "inspect/report_tables.h"

#include <stdlib.h>

#include "inspect/report_body.h"
#include "inspect/report_html.h"

/* More rows help nobody; the data has all of them. */
enum { ROWS_MAX = 200 };

/* ---- cells ---- */

static void
cell(struct buf *buf, const char *label, uint64_t number)
{
	buf_str(buf, "<td class=\"n\" data-label=\"");
	buf_str(buf, label);
	buf_str(buf, "\">");
	html_number(buf, NULL, number);
	buf_str(buf, "</td>");
}

static void
net_cell(struct buf *buf, const char *label, const struct report_sum *sum)
{
	buf_str(buf, "<td class=\"n saved\" data-label=\"");
	buf_str(buf, label);
	buf_str(buf, "\">");
	html_net(buf, NULL, sum->baseline_bytes, sum->served_bytes);
	buf_str(buf, "</td>");
}

/* Cells for the kinds of answers and their bytes. */
static void
sum_cells(struct buf *buf, const struct report_sum *sum)
{
	cell(buf, "text", sum->reads - report_compact(sum));
	cell(buf, "marker", sum->modes[MODE_UNCHANGED] +
		sum->modes[MODE_UNCHANGED_RANGE]);
	cell(buf, "diff", sum->modes[MODE_DIFF]);
	cell(buf, "plain bytes", sum->baseline_bytes);
	cell(buf, "served", sum->served_bytes);
	net_cell(buf, "saved", sum);
}

static void
bar_cell(struct buf *buf, const char *kind, uint64_t part, uint64_t whole)
{
	buf_str(buf, "<td class=\"b\">");
	html_bar(buf, kind, part, whole);
	buf_str(buf, "</td>");
}

/* HEADS are the names of the columns, each ended by a NUL. */
static void
begin_table(struct buf *buf, const char *kind, const char *caption,
    const char *heads)
{
	buf_str(buf, "<table class=\"");
	buf_str(buf, kind);
	buf_str(buf, "\"><caption>");
	buf_str(buf, caption);
	buf_str(buf, "</caption><thead><tr>");
	for (bool first = true; heads[0] != '\0';
	     heads += strlen(heads) + 1, first = false) {
		buf_str(buf, first ? "<th scope=\"col\">"
				   : "<th scope=\"col\" class=\"n\">");
		buf_str(buf, heads);
		buf_str(buf, "</th>");
	}
	buf_str(buf, "</tr></thead><tbody>");
}

static void
end_table(struct buf *buf)
{
	buf_str(buf, "</tbody></table>\n");
}

/* ---- modes ---- */

static const char *
mode_text(enum mode mode)
{
	switch (mode) {
	case MODE_FULL:
		return "the text itself";
	case MODE_UNCHANGED:
		return "one line: the file is as it was shown";
	case MODE_UNCHANGED_RANGE:
		return "these lines are as they were shown or written";
	case MODE_DIFF:
		return "only what has changed, or where the model has it";
	case MODE_FALLBACK:
		return "the text, though an older version was known";
	case MODE_PLAIN:
	case MODE_COUNT:
		break;
	}
	return "the host\xe2\x80\x99s own read, without metadata";
}

void
report_modes_table(struct buf *buf, const struct report *report)
{
	begin_table(buf, "modes", "Answers by mode",
	    "Answer\0Reads\0Plain bytes\0Served bytes\0Saved bytes\0");
	for (int m = 0; m < MODE_COUNT; m++) {
		const struct report_sum *sum = &report->by_mode[m];
		const char *name = mode_name((enum mode)m);

		if (sum->reads == 0)
			continue;
		buf_str(buf, "<tr data-mode=\"");
		buf_str(buf, name);
		buf_str(buf, "\"><th scope=\"row\"><span class=\"key k-");
		buf_str(buf, name);
		buf_str(buf, "\"></span><span class=\"what\">");
		buf_str(buf, name);
		buf_str(buf, "</span> <span class=\"why\">");
		buf_str(buf, mode_text((enum mode)m));
		buf_str(buf, "</span></th>");
		cell(buf, "reads", sum->reads);
		cell(buf, "plain", sum->baseline_bytes);
		cell(buf, "served", sum->served_bytes);
		net_cell(buf, "saved", sum);
		buf_str(buf, "</tr>");
	}
	end_table(buf);
}

/* ---- reasons ---- */

size_t
report_reasons(const struct report *report,
    enum report_reason list[REASON_COUNT])
{
	const uint64_t *bytes = report->reason_bytes;
	size_t n = 0;

	for (int r = 0; r < REASON_COUNT; r++) {
		size_t at = n;

		if (report->reasons[r] == 0)
			continue;
		for (; at > 0 && bytes[list[at - 1]] < bytes[r]; at--)
			list[at] = list[at - 1];
		list[at] = (enum report_reason)r;
		n++;
	}
	return n;
}

void
report_reasons_table(struct buf *buf, const struct report *report)
{
	enum report_reason list[REASON_COUNT];
	size_t n = report_reasons(report, list);
	uint64_t most = n > 0 ? report->reason_bytes[list[0]] : 0;

	begin_table(buf, "reasons", "Why the text was sent",
	    "Reason\0Reads\0Bytes\0");
	for (size_t i = 0; i < n; i++) {
		enum report_reason r = list[i];

		buf_str(buf, "<tr data-reason=\"");
		buf_str(buf, report_reason_name(r));
		buf_str(buf, "\"><th scope=\"row\"><span class=\"what\">");
		buf_str(buf, report_reason_title(r));
		buf_str(buf, "</span> <span class=\"why\">");
		html_text(buf, span_str(report_reason_text(r)));
		buf_str(buf, "</span></th>");
		cell(buf, "reads", report->reasons[r]);
		cell(buf, "bytes", report->reason_bytes[r]);
		bar_cell(buf, "full", report->reason_bytes[r], most);
		buf_str(buf, "</tr>");
	}
	end_table(buf);
}

/* ---- policies ---- */

static void
policy_row(struct buf *buf, const char *name, const char *text,
    const struct report_sum *sum)
{
	buf_str(buf, "<tr data-policy=\"");
	buf_str(buf, name);
	buf_str(buf, "\"><th scope=\"row\"><span class=\"what\">");
	buf_str(buf, name);
	buf_str(buf, "</span> <span class=\"why\">");
	buf_str(buf, text);
	buf_str(buf, "</span></th>");
	sum_cells(buf, sum);
	buf_str(buf, "<td class=\"n\" data-label=\"of plain\">");
	html_share(buf, sum->baseline_bytes, sum->served_bytes,
	    sum->baseline_bytes);
	buf_str(buf, "</td></tr>\n");
}

void
report_policies_table(struct buf *buf, const struct report *report)
{
	begin_table(buf, "policies", "What each policy would save",
	    "Policy\0Text\0Marker\0Diff\0Plain bytes\0Served bytes\0"
	    "Saved bytes\0Saved\0");
	policy_row(buf, "strict", "counts files and ranges, as they were read",
	    &report->shadow.strict);
	policy_row(buf, "coverage", "counts lines, in whatever ranges",
	    &report->shadow.coverage);
	end_table(buf);
}

/* ---- files ---- */

static int
compare(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static int
by_saved(const void *left, const void *right)
{
	const struct report_file *const *one = left, *const *other = right;
	const struct report_sum *a = &(*one)->sum, *b = &(*other)->sum;
	/* a.baseline - a.served compared with b's, without negative numbers */
	int order = compare(a->baseline_bytes + b->served_bytes,
	    b->baseline_bytes + a->served_bytes);

	return order != 0 ? order : compare(a->served_bytes, b->served_bytes);
}

static void
file_row(struct buf *buf, const struct report_file *file, uint64_t most)
{
	const struct report_sum *sum = &file->sum;
	uint64_t saved = sum->baseline_bytes > sum->served_bytes
	    ? sum->baseline_bytes - sum->served_bytes
	    : 0;

	buf_str(buf, "<tr><th scope=\"row\">");
	html_path(buf, file->shown);
	buf_str(buf, "</th>");
	cell(buf, "reads", sum->reads);
	sum_cells(buf, sum);
	bar_cell(buf, "unchanged", saved, most);
	buf_str(buf, "</tr>\n");
}

void
report_files_table(struct buf *buf, const struct report *report)
{
	const struct report_file **list = arena_array(buf->arena,
	    (size_t)report->nfiles + 1, sizeof(*list));
	uint32_t n = 0, shown;
	uint64_t most = 1;

	for (uint32_t i = 0; i < report->nfiles; i++)
		list[n++] = &report->files[i];
	qsort(list, n, sizeof(const struct report_file *), by_saved);
	shown = n < ROWS_MAX ? n : ROWS_MAX;
	if (n > 0 && list[0]->sum.baseline_bytes > list[0]->sum.served_bytes)
		most = list[0]->sum.baseline_bytes - list[0]->sum.served_bytes;
	begin_table(buf, "files sortable", "Files",
	    "File\0Reads\0Text\0Marker\0Diff\0Plain bytes\0Served bytes\0"
	    "Saved bytes\0");
	for (uint32_t i = 0; i < shown; i++)
		file_row(buf, list[i], most);
	end_table(buf);
	if (shown == n)
		return;
	buf_str(buf, "<p class=\"note\">");
	html_count(buf, n - shown, "more file is", "more files are");
	buf_str(buf, " left out here: those with the least saved. <code>"
		     "readcache report --json</code> has them all.</p>\n");
}

/* ---- sessions ---- */

void
report_sessions_table(struct buf *buf, const struct report *reports, size_t n)
{
	begin_table(buf, "sessions sortable", "Sessions",
	    "Session\0Reads\0Compact\0Safe\0Plain bytes\0Served bytes\0"
	    "Saved bytes\0");
	for (size_t i = 0; i < n; i++) {
		const struct report_sum *sum = &reports[i].sum;

		buf_str(buf, "<tr><th scope=\"row\"><a href=\"#s");
		buf_u64(buf, i);
		buf_str(buf, "\">");
		html_path(buf, report_name(&reports[i]));
		buf_str(buf, "</a>");
		if (!reports[i].cached)
			buf_str(buf, " <span class=\"why\">without readcache"
				     "</span>");
		buf_str(buf, "</th>");
		cell(buf, "reads", sum->reads);
		cell(buf, "compact", report_compact(sum));
		cell(buf, "safe", report_safe(sum));
		cell(buf, "plain bytes", sum->baseline_bytes);
		cell(buf, "served", sum->served_bytes);
		net_cell(buf, "saved", sum);
		buf_str(buf, "</tr>\n");
	}
	end_table(buf);
}
