#include "answer/render.h"

#include "base/lines.h"

void
render_marker_end(struct buf *buf, bool again)
{
	buf_str(buf, again ? "; read again for the text]" : "]");
}

void
render_marker(struct buf *buf, const struct excerpt *shown, bool elsewhere,
    bool again)
{
	if (excerpt_scope(shown).kind == SCOPE_FULL) {
		buf_str(buf, "[readcache: unchanged, ");
		buf_u64(buf, shown->total);
		buf_str(buf, " lines");
		render_marker_end(buf, again);
		return;
	}
	buf_str(buf, "[readcache: unchanged in lines ");
	buf_u64(buf, shown->first);
	buf_char(buf, '-');
	buf_u64(buf, shown->last);
	if (elsewhere) {
		buf_str(buf, "; changes exist outside this range");
	} else {
		buf_str(buf, " of ");
		buf_u64(buf, shown->total);
	}
	render_marker_end(buf, again);
	/* T1: the model must be able to get what was cut off. */
	if (shown->cut)
		buf_add(buf, shown->after);
}

/* Could NAME break the line that it is on? */
static bool
needs_quotes(struct span name)
{
	for (size_t i = 0; i < name.n; i++) {
		unsigned char c = (unsigned char)name.p[i];

		if (c < ' ' || c == '"' || c == '\\' || c == 0x7f)
			return true;
	}
	return false;
}

/*
 * Write "--- a/name" as patch tools read it: unusual names in quotes, with
 * octal escapes.
 */
static void
write_file_line(struct buf *buf, const char *mark, const char *side,
    struct span name)
{
	bool quotes = needs_quotes(name);

	buf_str(buf, mark);
	buf_str(buf, quotes ? " \"" : " ");
	buf_str(buf, side);
	for (size_t i = 0; i < name.n; i++) {
		unsigned char c = (unsigned char)name.p[i];

		if (c == '"' || c == '\\') {
			buf_char(buf, '\\');
			buf_char(buf, (char)c);
		} else if (c < ' ' || c == 0x7f) {
			buf_char(buf, '\\');
			buf_char(buf, (char)('0' + (c >> 6)));
			buf_char(buf, (char)('0' + (c >> 3 & 7)));
			buf_char(buf, (char)('0' + (c & 7)));
		} else {
			buf_char(buf, (char)c);
		}
	}
	buf_str(buf, quotes ? "\"\n" : "\n");
}

/* All of a diff answer but its hunks. */
static void
write_head(struct buf *buf, const struct diff *diff, uint64_t total,
    struct span asked)
{
	while (asked.n > 0 && asked.p[0] == '/')
		asked = span_from(asked, 1);
	buf_str(buf, "[readcache: ");
	buf_u64(buf, diff->changed);
	buf_str(buf, " lines changed of ");
	buf_u64(buf, total);
	buf_str(buf, "]\n");
	write_file_line(buf, "---", "a/", asked);
	write_file_line(buf, "+++", "b/", asked);
}

void
render_diff(struct buf *buf, const struct diff *diff, uint64_t total,
    struct span asked)
{
	write_head(buf, diff, total, asked);
	buf_add(buf, diff->hunks);
}

uint64_t
render_marker_size(struct arena *arena, const struct excerpt *shown,
    bool elsewhere, bool again)
{
	struct buf text = buf_new(arena, 160);

	render_marker(&text, shown, elsewhere, again);
	return text.n;
}

struct render_size
render_diff_size(struct arena *arena, const struct diff *diff, uint64_t total,
    struct span asked)
{
	struct buf head = buf_new(arena, 256);

	write_head(&head, diff, total, asked);
	/* The head ends with a newline, so its last line is the hunks' first. */
	return (struct render_size){
	    .bytes = head.n + diff->hunks.n,
	    .lines = lines_count(buf_span(&head)) - 1 +
		lines_count(diff->hunks),
	};
}
