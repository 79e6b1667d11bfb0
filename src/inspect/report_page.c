#include "base/digest.h"
#include "inspect/page.h"
#include "inspect/report.h"
#include "inspect/report_body.h"
#include "inspect/report_html.h"
#include "os/bytes.h"

static struct span
style(void)
{
	return (struct span){(const char *)page_css, page_css_size};
}

static struct span
script(void)
{
	return (struct span){(const char *)page_js, page_js_size};
}

/* Write the hash by which the page's policy lets only our own code run. */
static void
write_hash(struct buf *buf, struct span text)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	struct digest hash = digest_of(text);

	for (int i = 0; i < DIGEST_BYTES; i += 3) {
		bool last = i + 2 >= DIGEST_BYTES; /* two bytes are left */
		uint32_t bits = (uint32_t)hash.bytes[i] << 16 |
		    (uint32_t)hash.bytes[i + 1] << 8 |
		    (last ? 0U : hash.bytes[i + 2]);

		buf_char(buf, digits[bits >> 18]);
		buf_char(buf, digits[bits >> 12 & 63]);
		buf_char(buf, digits[bits >> 6 & 63]);
		buf_char(buf, last ? '=' : digits[bits & 63]);
	}
}

static void
write_title(struct buf *buf, const struct report *reports, size_t n)
{
	buf_str(buf, "readcache: ");
	if (n == 1)
		html_text(buf, report_name(&reports[0]));
	else
		html_count(buf, n, "session", "sessions");
}

static void
write_data(struct buf *buf, const struct report *reports, size_t n)
{
	struct buf json = buf_new(buf->arena, 1 << 16);

	report_json(&json, reports, n);
	html_json(buf, buf_span(&json));
}

/* Write what belongs at the place NAME. */
static void
fill_place(struct buf *buf, struct span name, const struct report *reports,
    size_t n)
{
	if (span_eq(name, SPAN("style-hash")))
		write_hash(buf, style());
	else if (span_eq(name, SPAN("script-hash")))
		write_hash(buf, script());
	else if (span_eq(name, SPAN("style")))
		buf_add(buf, style());
	else if (span_eq(name, SPAN("script")))
		buf_add(buf, script());
	else if (span_eq(name, SPAN("version")))
		buf_str(buf, READCACHE_VERSION);
	else if (span_eq(name, SPAN("title")))
		write_title(buf, reports, n);
	else if (span_eq(name, SPAN("body")))
		report_body(buf, reports, n);
	else if (span_eq(name, SPAN("data")))
		write_data(buf, reports, n);
}

void
report_page(struct buf *buf, const struct report *reports, size_t n)
{
	struct span rest = {(const char *)page_html, page_html_size};
	const char *place, *end;

	while ((place = bytes_find(rest.p, rest.n, "{{", 2)) != NULL &&
	       (end = bytes_find(place, rest.n - (size_t)(place - rest.p), "}}",
		    2)) != NULL) {
		buf_add(buf, (struct span){rest.p, (size_t)(place - rest.p)});
		fill_place(buf,
		    (struct span){place + 2, (size_t)(end - place) - 2},
		    reports, n);
		rest = span_from(rest, (size_t)(end - rest.p) + 2);
	}
	buf_add(buf, rest);
}
