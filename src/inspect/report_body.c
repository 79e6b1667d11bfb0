#include "inspect/report_body.h"

#include "inspect/report_html.h"
#include "inspect/report_tables.h"
#include "os/bytes.h"
#include "serve/response.h"

struct span
report_name(const struct report *report)
{
	const char *slash = bytes_last(report->file.p, '/', report->file.n);

	return slash != NULL
	    ? span_from(report->file, (size_t)(slash - report->file.p) + 1)
	    : report->file;
}

/* ---- the three figures: how much, was it safe, why not more ---- */

static void
begin_figure(struct buf *buf, const char *kind, const char *title)
{
	buf_str(buf, "<div class=\"figure ");
	buf_str(buf, kind);
	buf_str(buf, "\"><h3>");
	buf_str(buf, title);
	buf_str(buf, "</h3><p class=\"big\">");
}

static void
write_saved(struct buf *buf, const struct report_sum *sum)
{
	uint64_t plain = sum->baseline_bytes, served = sum->served_bytes;
	bool cost = plain < served;
	uint64_t net = cost ? served - plain : plain - served;

	begin_figure(buf, "how-much", cost ? "Cost" : "Saved");
	html_share(buf, cost ? served : plain, cost ? plain : served, plain);
	buf_str(buf, "</p><svg class=\"split\" aria-hidden=\"true\">"
		     "<rect class=\"k-unchanged\" width=\"100%\" "
		     "height=\"100%\"/></svg>");
	html_bar(buf, "full", served, plain);
	buf_str(buf, "<p>");
	html_net(buf, "savedBytes", plain, served);
	buf_str(buf, " bytes net. ");
	html_number(buf, "servedBytes", served);
	buf_str(buf, " bytes were delivered where plain reads would have "
		     "delivered ");
	html_number(buf, "baselineBytes", plain);
	buf_str(buf, cost ? ". That is about " : ". That saves about ");
	html_number(buf, NULL, net / RESPONSE_BYTES_PER_TOKEN);
	buf_str(buf, cost ? " tokens more (estimate: "
			  : " tokens (estimate: ");
	buf_str(buf, RESPONSE_ESTIMATOR ").</p></div>\n");
}

static void
write_safe(struct buf *buf, const struct report_sum *sum)
{
	uint64_t compact = report_compact(sum);

	begin_figure(buf, sum->violations > 0 ? "safe warn" : "safe", "Safe");
	html_number(buf, "safe", report_safe(sum));
	buf_str(buf, "<span class=\"of\"> of ");
	html_number(buf, "compact", compact);
	buf_str(buf, "</span></p><p>");
	if (sum->violations > 0) {
		html_number(buf, "violations", sum->violations);
		buf_str(buf, sum->violations == 1 ? " compact answer"
						  : " compact answers");
		buf_str(buf, " claimed what the model could not know from "
			     "the texts it could see. <code>readcache audit"
			     "</code> tells more.");
	} else if (compact == 0) {
		buf_str(buf, "There were no compact answers, so there is "
			     "nothing to check.");
	} else {
		buf_str(buf, "Every marker and every diff was checked, as by "
			     "<code>readcache audit</code>: the texts that "
			     "the model could see at that point bear it "
			     "out.");
	}
	buf_str(buf, "</p></div>\n");
}

static void
write_why(struct buf *buf, const struct report *report)
{
	enum report_reason list[REASON_COUNT];
	size_t n = report_reasons(report, list);

	begin_figure(buf, "why-not", "Why not more");
	html_number(buf, "text",
	    report->sum.reads - report_compact(&report->sum));
	buf_str(buf, "<span class=\"of\"> of ");
	html_number(buf, "reads", report->sum.reads);
	buf_str(buf, "</span></p><p>reads carried the text itself");
	for (size_t i = 0; i < n && i < 3; i++) {
		buf_str(buf, i == 0 ? ": " : ", ");
		html_grouped(buf, report->reasons[list[i]]);
		buf_char(buf, ' ');
		buf_str(buf, report_reason_title(list[i]));
	}
	buf_str(buf, n > 3 ? ", and others.</p></div>\n" : ".</p></div>\n");
}

static void
write_figures(struct buf *buf, const struct report *report)
{
	buf_str(buf, "<div class=\"figures\">\n");
	write_saved(buf, &report->sum);
	write_safe(buf, &report->sum);
	write_why(buf, report);
	buf_str(buf, "</div>\n");
}

/* ---- one session ---- */

static void
fact(struct buf *buf, uint64_t n, const char *one, const char *many)
{
	if (n == 0)
		return;
	buf_str(buf, "<li>");
	html_count(buf, n, one, many);
	buf_str(buf, "</li>");
}

static uint64_t
count_kind(const struct report *report, enum report_kind kind)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < report->nsteps; i++)
		n += report->steps[i].kind == kind;
	return n;
}

static void
write_facts(struct buf *buf, const struct report *report)
{
	uint64_t leaves = 0;

	for (uint32_t i = 0; i < report->nstretches; i++)
		leaves += !report->stretches[i].forks;
	buf_str(buf, "<ul class=\"facts\">");
	fact(buf, report->entries, "entry", "entries");
	fact(buf, leaves, "branch", "branches");
	fact(buf, report->sum.reads, "read", "reads");
	fact(buf, report->nfiles, "file", "files");
	fact(buf, count_kind(report, REPORT_COMPACTION), "compaction",
	    "compactions");
	fact(buf, count_kind(report, REPORT_EDIT), "context edit",
	    "context edits");
	fact(buf, count_kind(report, REPORT_REFRESH), "refresh", "refreshes");
	fact(buf, count_kind(report, REPORT_UNREADABLE), "unreadable entry",
	    "unreadable entries");
	fact(buf, report->skipped, "line that is no JSON",
	    "lines that are no JSON");
	buf_str(buf, "</ul>\n<p class=\"where\">");
	html_path(buf, report->file);
	if (report->cwd.n > 0) {
		buf_str(buf, ", started in ");
		html_path(buf, report->cwd);
	}
	buf_str(buf, "</p>\n");
}

static void
write_without(struct buf *buf, const struct report *report)
{
	if (report->cached || report->sum.reads == 0)
		return;
	buf_str(buf, "<p class=\"notice\"><strong>Recorded without "
		     "readcache.</strong> Every read is the host\xe2\x80\x99s "
		     "own, so nothing was saved here. What it would have "
		     "saved is told below; <code>readcache shadow FILE</code> "
		     "tells it by file.</p>\n");
}

/*
 * What the figures of the policies do not include, and what is wrong in them.
 */
static void
write_gaps(struct buf *buf, const struct report *report)
{
	const struct report_shadow *shadow = &report->shadow;
	uint64_t bad = shadow->strict.violations + shadow->coverage.violations;

	if (shadow->strict.reads < report->sum.reads) {
		buf_char(buf, ' ');
		html_count(buf, report->sum.reads - shadow->strict.reads,
		    "read is", "reads are");
		buf_str(buf, " left out, on a branch with an entry that "
			     "cannot be read.");
	}
	if (shadow->compact > 0) {
		buf_char(buf, ' ');
		html_count(buf, shadow->compact, "compact answer",
		    "compact answers");
		buf_str(buf, " of readcache cannot be answered again: "
			     "such an answer counts as it was recorded and "
			     "proves nothing to later reads, so the rows may "
			     "tell too little.");
	}
	if (bad > 0) {
		buf_char(buf, ' ');
		html_count(buf, bad, "answer", "answers");
		buf_str(buf, " could not be understood by a reader: this is "
			     "a bug in readcache.");
	}
}

static void
write_policies(struct buf *buf, const struct report *report)
{
	buf_str(buf, "<section>");
	report_policies_table(buf, report);
	buf_str(buf, "<p class=\"note\">The reads were answered once "
		     "more from the recorded texts, as by <code>readcache "
		     "shadow</code>.");
	write_gaps(buf, report);
	buf_str(buf, "</p></section>\n");
}

static void
write_place(struct buf *buf, size_t i, const char *kind, const char *title,
    const char *without)
{
	buf_str(buf, "<section class=\"");
	buf_str(buf, kind);
	buf_str(buf, "\" data-session=\"");
	buf_u64(buf, i);
	buf_str(buf, "\"><h3>");
	buf_str(buf, title);
	buf_str(buf, "</h3><noscript><p class=\"note\">");
	buf_str(buf, without);
	buf_str(buf, "</p></noscript></section>\n");
}

static void
write_session(struct buf *buf, const struct report *report, size_t i)
{
	write_facts(buf, report);
	if (report->sum.reads == 0) {
		buf_str(buf, "<p class=\"notice\">This session has no "
			     "successful reads.</p>\n");
		return;
	}
	write_without(buf, report);
	write_figures(buf, report);
	write_place(buf, i, "charts", "Over time",
	    "The charts need JavaScript; the tables have the same figures.");
	buf_str(buf, "<div class=\"columns\"><section>");
	report_modes_table(buf, report);
	buf_str(buf, "</section><section>");
	report_reasons_table(buf, report);
	buf_str(buf, "</section></div>\n");
	write_policies(buf, report);
	write_place(buf, i, "explorer", "Trust along a branch",
	    "Choosing a branch needs JavaScript. <code>readcache replay"
	    "</code> tells the trust of any leaf.");
	buf_str(buf, "<section>");
	report_files_table(buf, report);
	buf_str(buf, "</section>\n");
}

/* ---- the page ---- */

static void
write_overview(struct buf *buf, const struct report *reports, size_t n)
{
	struct report_sum all = {0};
	struct report whole = {.cached = true};

	for (size_t i = 0; i < n; i++) {
		report_add(&all, &reports[i].sum);
		for (int r = 0; r < REASON_COUNT; r++) {
			whole.reasons[r] += reports[i].reasons[r];
			whole.reason_bytes[r] += reports[i].reason_bytes[r];
		}
	}
	whole.sum = all;
	buf_str(buf, "<section class=\"overview\">");
	write_figures(buf, &whole);
	report_sessions_table(buf, reports, n);
	buf_str(buf, "</section>\n");
}

static void
write_one_of_many(struct buf *buf, const struct report *report, size_t i)
{
	buf_str(buf, "<details class=\"session\" id=\"s");
	buf_u64(buf, i);
	buf_str(buf, "\"><summary><h2>");
	html_path(buf, report_name(report));
	buf_str(buf, "</h2></summary>\n");
	write_session(buf, report, i);
	buf_str(buf, "</details>\n");
}

static void
write_footer(struct buf *buf)
{
	buf_str(buf, "<footer><h2>How to read this</h2>"
		     "<p>Every read counts once, on whatever branch it is. "
		     "Figures are net: the bytes that plain reads would have "
		     "delivered less the bytes that were delivered, as the "
		     "reads\xe2\x80\x99 own metadata says; reads without it "
		     "count as delivered and save nothing. Tokens are an "
		     "estimate (" RESPONSE_ESTIMATOR "). Reasons are not "
		     "recorded: they were found out again from what stands "
		     "before each read on its branch.</p>"
		     "<p>Made by readcache " READCACHE_VERSION
		     ". The page needs no network.</p></footer>\n");
}

void
report_body(struct buf *buf, const struct report *reports, size_t n)
{
	buf_str(buf, "<header class=\"top\"><p class=\"product\">readcache "
		     "report</p><h1>");
	if (n == 1)
		html_path(buf, report_name(&reports[0]));
	else
		html_count(buf, n, "session", "sessions");
	buf_str(buf, "</h1></header>\n<main id=\"main\">\n");
	if (n == 1) {
		buf_str(buf, "<div class=\"session\" id=\"s0\">\n");
		write_session(buf, &reports[0], 0);
		buf_str(buf, "</div>\n");
	} else {
		write_overview(buf, reports, n);
		for (size_t i = 0; i < n; i++)
			write_one_of_many(buf, &reports[i], i);
	}
	buf_str(buf, "</main>\n");
	write_footer(buf);
}
