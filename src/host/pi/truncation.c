#include "host/pi/truncation.h"

#include "json/emit.h"

void
truncation_emit(struct buf *buf, const struct view *view)
{
	bool none = view->notice == VIEW_FIRST_TOO_LONG;
	bool by_lines = view->notice == VIEW_CUT_LINES;

	buf_char(buf, '{');
	emit_string_member(buf, "content", view->text);
	buf_str(buf, ",\"truncated\":true");
	emit_string_member(buf, "truncatedBy",
	    by_lines ? SPAN("lines") : SPAN("bytes"));
	emit_number_member(buf, "totalLines", view->selected_lines);
	emit_number_member(buf, "totalBytes", view->selected_bytes);
	emit_number_member(buf, "outputLines",
	    view->last + 1 - view->first);
	emit_number_member(buf, "outputBytes", view->text.n);
	buf_str(buf, ",\"lastLinePartial\":false");
	buf_str(buf, none ? ",\"firstLineExceedsLimit\":true"
			  : ",\"firstLineExceedsLimit\":false");
	emit_number_member(buf, "maxLines", VIEW_MAX_LINES);
	emit_number_member(buf, "maxBytes", VIEW_MAX_BYTES);
	buf_char(buf, '}');
}
