#include "host/pi/view.h"

#include "base/lines.h"

/* Do what the host's truncateHead does with the PIECES selected lines. */
static void
cut(struct view *view, struct span selected, uint64_t pieces)
{
	bool ends_lf = selected.n > 0 && selected.p[selected.n - 1] == '\n';
	size_t end = 0; /* of the text taken, without its LF */
	uint64_t taken = 0;

	view->text = selected;
	view->selected_bytes = selected.n;
	/* Here the host does not count the empty piece after a last LF. */
	view->selected_lines =
	    selected.n == 0 ? 0 : pieces - (ends_lf ? 1 : 0);
	view->last = view->first + pieces - 1;
	if (view->selected_lines <= VIEW_MAX_LINES &&
	    selected.n <= VIEW_MAX_BYTES)
		return;

	view->notice = VIEW_CUT_LINES;
	while (taken < view->selected_lines && taken < VIEW_MAX_LINES) {
		size_t from = taken > 0 ? end + 1 : 0;
		const char *lf = memchr(selected.p + from, '\n',
		    selected.n - from);
		size_t to = lf != NULL ? (size_t)(lf - selected.p) : selected.n;

		if (to > VIEW_MAX_BYTES) {
			view->notice = taken > 0 ? VIEW_CUT_BYTES
						 : VIEW_FIRST_TOO_LONG;
			view->first_line_bytes = to;
			break;
		}
		end = to;
		taken++;
	}
	view->text.n = end;
	view->last = view->first + taken - 1;
}

bool
view_make(struct span bytes, uint64_t total, uint64_t offset, uint64_t limit,
    struct view *view)
{
	struct span selected;
	uint64_t last;

	*view = (struct view){.total = total, .first = offset};
	if (offset > view->total)
		return false;
	last = view->total;
	if (limit > 0 && limit < last - offset + 1)
		last = offset + limit - 1;
	view->notice = last < view->total ? VIEW_MORE : VIEW_WHOLE;
	/* Both lines exist.  To the end, LFs need not be counted. */
	if (last == view->total)
		(void)lines_from(bytes, offset, &selected);
	else
		(void)lines_slice(bytes, offset, last, &selected);
	cut(view, selected, last - offset + 1);
	return true;
}

/*
 * A size as the host writes it: one decimal, exact ties go up.  It is at least
 * VIEW_MAX_BYTES, so it is never written in bytes.
 */
static void
write_size(struct buf *buf, uint64_t bytes)
{
	uint64_t unit = bytes < 1048576 ? 1024 : 1048576;
	uint64_t tenths = (bytes * 10 + unit / 2) / unit;

	buf_u64(buf, tenths / 10);
	buf_char(buf, '.');
	buf_u64(buf, tenths % 10);
	buf_str(buf, unit == 1024 ? "KB" : "MB");
}

void
view_write_notice(struct buf *buf, const struct view *view)
{
	if (view->notice == VIEW_MORE) {
		buf_char(buf, '[');
		buf_u64(buf, view->total - view->last);
		buf_str(buf, " more lines in file.");
	} else {
		buf_str(buf, "[Showing lines ");
		buf_u64(buf, view->first);
		buf_char(buf, '-');
		buf_u64(buf, view->last);
		buf_str(buf, " of ");
		buf_u64(buf, view->total);
		if (view->notice == VIEW_CUT_BYTES) {
			buf_str(buf, " (");
			write_size(buf, VIEW_MAX_BYTES);
			buf_str(buf, " limit)");
		}
		buf_char(buf, '.');
	}
	buf_str(buf, " Use offset=");
	buf_u64(buf, view->last + 1);
	buf_str(buf, " to continue.]");
}

/* Write what the host writes after the lines. */
static void
write_after(struct buf *buf, const struct view *view, struct span asked)
{
	if (view->notice == VIEW_WHOLE)
		return;
	if (view->notice != VIEW_FIRST_TOO_LONG) {
		buf_str(buf, "\n\n");
		view_write_notice(buf, view);
		return;
	}
	buf_str(buf, "[Line ");
	buf_u64(buf, view->first);
	buf_str(buf, " is ");
	write_size(buf, view->first_line_bytes);
	buf_str(buf, ", exceeds ");
	write_size(buf, VIEW_MAX_BYTES);
	buf_str(buf, " limit. Use bash: sed -n '");
	buf_u64(buf, view->first);
	buf_str(buf, "p' ");
	buf_add(buf, asked);
	buf_str(buf, " | head -c ");
	buf_u64(buf, VIEW_MAX_BYTES);
	buf_char(buf, ']');
}

void
view_write(struct buf *buf, const struct view *view, struct span asked)
{
	buf_add(buf, view->text);
	write_after(buf, view, asked);
}

struct excerpt
view_excerpt(struct arena *arena, const struct view *view, struct span asked)
{
	struct excerpt excerpt = {
	    .lines = view->text,
	    .after = SPAN(""),
	    .first = view->first,
	    .last = view->last,
	    .total = view->total,
	    .cut = view_truncated(view),
	};
	struct buf after;

	if (view->notice == VIEW_WHOLE)
		return excerpt;
	after = buf_new(arena, 256);
	write_after(&after, view, asked);
	excerpt.after = buf_span(&after);
	return excerpt;
}
