#include "inspect/report_html.h"

static const char *
entity(char c)
{
	if (c == '&')
		return "&amp;";
	if (c == '<')
		return "&lt;";
	if (c == '>')
		return "&gt;";
	if (c == '"')
		return "&quot;";
	if (c == '\'')
		return "&#39;";
	if (((unsigned char)c < 0x20 && c != '\t' && c != '\n') || c == 0x7f)
		return "\xef\xbf\xbd";
	return NULL;
}

void
html_text(struct buf *buf, struct span text)
{
	for (size_t i = 0; i < text.n; i++) {
		const char *name = entity(text.p[i]);

		if (name != NULL)
			buf_str(buf, name);
		else
			buf_char(buf, text.p[i]);
	}
}

void
html_path(struct buf *buf, struct span path)
{
	buf_str(buf, "<bdi class=\"path\">");
	html_text(buf, path.n > 0 ? path : SPAN("(file unknown)"));
	buf_str(buf, "</bdi>");
}

void
html_grouped(struct buf *buf, uint64_t number)
{
	if (number < 1000) {
		buf_u64(buf, number);
		return;
	}
	html_grouped(buf, number / 1000);
	buf_char(buf, ',');
	buf_char(buf, (char)('0' + number / 100 % 10));
	buf_char(buf, (char)('0' + number / 10 % 10));
	buf_char(buf, (char)('0' + number % 10));
}

void
html_net(struct buf *buf, const char *figure, uint64_t a, uint64_t b)
{
	uint64_t net = a < b ? b - a : a - b;

	buf_str(buf, "<data");
	if (figure != NULL) {
		buf_str(buf, " data-figure=\"");
		buf_str(buf, figure);
		buf_char(buf, '"');
	}
	buf_str(buf, a < b ? " value=\"-" : " value=\"");
	buf_u64(buf, net);
	buf_str(buf, "\">");
	if (a < b)
		buf_str(buf, "\xe2\x88\x92"); /* minus */
	html_grouped(buf, net);
	buf_str(buf, "</data>");
}

void
html_number(struct buf *buf, const char *figure, uint64_t number)
{
	html_net(buf, figure, number, 0);
}

void
html_count(struct buf *buf, uint64_t n, const char *one, const char *many)
{
	html_grouped(buf, n);
	buf_char(buf, ' ');
	buf_str(buf, n == 1 ? one : many);
}

/* PART of WHOLE in thousandths; the numbers may be of any size. */
static uint64_t
thousandths(uint64_t part, uint64_t whole)
{
	double share = whole > 0 ? (double)part / (double)whole : 0;

	return (uint64_t)(share * 1000 + 0.5);
}

void
html_share(struct buf *buf, uint64_t a, uint64_t b, uint64_t whole)
{
	uint64_t share = thousandths(a < b ? b - a : a - b, whole);

	if (a < b)
		buf_str(buf, "\xe2\x88\x92");
	if (share >= 100) {
		html_grouped(buf, (share + 5) / 10);
	} else {
		buf_u64(buf, share / 10);
		buf_char(buf, '.');
		buf_u64(buf, share % 10);
	}
	buf_str(buf, "\xc2\xa0%");
}

void
html_bar(struct buf *buf, const char *kind, uint64_t part, uint64_t whole)
{
	uint64_t share = thousandths(part, whole);

	if (share > 1000)
		share = 1000;
	buf_str(buf, "<svg class=\"bar\" aria-hidden=\"true\">"
		     "<rect class=\"k-");
	buf_str(buf, kind);
	buf_str(buf, "\" height=\"100%\" width=\"");
	buf_u64(buf, share / 10);
	buf_char(buf, '.');
	buf_u64(buf, share % 10);
	buf_str(buf, "%\"/></svg>");
}

/* U+2028 or U+2029, which some JavaScript engines take for line ends. */
static bool
is_separator(struct span text)
{
	return text.n >= 3 && memcmp(text.p, "\xe2\x80", 2) == 0 &&
	    ((unsigned char)text.p[2] & 0xfe) == 0xa8;
}

void
html_json(struct buf *buf, struct span json)
{
	/* These characters occur only inside of JSON's strings. */
	for (size_t i = 0; i < json.n; i++) {
		char c = json.p[i];

		if (c == '<') {
			buf_str(buf, "\\u003c");
		} else if (c == '>') {
			buf_str(buf, "\\u003e");
		} else if (c == '&') {
			buf_str(buf, "\\u0026");
		} else if (c == '\xe2' && is_separator(span_from(json, i))) {
			buf_str(buf, json.p[i + 2] == '\xa8' ? "\\u2028"
							     : "\\u2029");
			i += 2;
		} else {
			buf_char(buf, c);
		}
	}
}
