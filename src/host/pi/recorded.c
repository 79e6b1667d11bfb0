#include "host/pi/recorded.h"

#include "base/lines.h"
#include "os/bytes.h"

/* Split TEXT from the notice that may follow it: "\n\n[...]". */
static bool
split_notice(struct span text, struct span *shown, struct span *notice)
{
	const char *open = bytes_last(text.p, '[', text.n);
	size_t at = open != NULL ? (size_t)(open - text.p) : 0;

	if (open == NULL || at < 2 || text.p[at - 1] != '\n' ||
	    text.p[at - 2] != '\n' || text.p[text.n - 1] != ']')
		return false;
	*shown = (struct span){text.p, at - 2};
	*notice = span_from(text, at);
	return true;
}

/* Take a number from the start of TEXT. */
static bool
take_number(struct span *text, uint64_t *number)
{
	size_t i = 0;

	*number = 0;
	while (i < text->n && text->p[i] >= '0' && text->p[i] <= '9' && i < 15)
		*number = *number * 10 + (uint64_t)(text->p[i++] - '0');
	*text = span_from(*text, i);
	return i > 0;
}

static bool
take(struct span *text, struct span wanted)
{
	if (!span_starts(*text, wanted))
		return false;
	*text = span_from(*text, wanted.n);
	return true;
}

/* Find out which notice it is, and how many lines the file has. */
static bool
read_notice(struct span notice, uint64_t limit, struct view *view)
{
	uint64_t number;

	if (take(&notice, SPAN("[Showing lines "))) {
		if (!take_number(&notice, &number) ||
		    !take(&notice, SPAN("-")) ||
		    !take_number(&notice, &view->last) ||
		    !take(&notice, SPAN(" of ")) ||
		    !take_number(&notice, &view->total))
			return false;
		view->notice = span_starts(notice, SPAN(" ("))
		    ? VIEW_CUT_BYTES
		    : VIEW_CUT_LINES;
		return true;
	}
	if (limit == 0 || !take(&notice, SPAN("[")) ||
	    !take_number(&notice, &number))
		return false;
	view->last = view->first + limit - 1;
	view->total = view->last + number;
	view->notice = VIEW_MORE;
	return true;
}

/*
 * The notice of older hosts, in round brackets:
 * "\n\n... (M more lines not shown. Use offset=K to continue reading)".
 */
static bool
read_old_notice(struct span text, struct view *view)
{
	const char *open = bytes_last(text.p, '(', text.n);
	size_t at = open != NULL ? (size_t)(open - text.p) : 0;
	uint64_t more, next;
	struct span notice;

	if (at < 6 || memcmp(open - 6, "\n\n... ", 6) != 0)
		return false;
	notice = span_from(text, at + 1);
	if (!take_number(&notice, &more) ||
	    !take(&notice, SPAN(" more lines not shown. Use offset=")) ||
	    !take_number(&notice, &next) ||
	    !span_eq(notice, SPAN(" to continue reading)")) ||
	    next <= view->first)
		return false;
	view->text = (struct span){text.p, at - 6};
	view->last = next - 1;
	view->total = view->last + more;
	view->notice = VIEW_MORE;
	return lines_count(view->text) == view->last - view->first + 1;
}

/*
 * Is TEXT, which may be from an older host, WRITTEN as the host writes it now?
 * Older versions had no period at the end of a notice: "... to continue]".
 */
static bool
is_written(struct span written, struct span text)
{
	struct span end = SPAN(".]");
	size_t n = text.n > 0 ? text.n - 1 : 0; /* without the bracket */

	if (span_eq(written, text))
		return true;
	return written.n == n + end.n && memcmp(written.p, text.p, n) == 0 &&
	       span_eq(span_from(written, n), end) &&
	       span_eq(span_from(text, n), SPAN("]"));
}

/* Would a host have written exactly TEXT for this view? */
static bool
gives(struct arena *arena, const struct view *view, struct span text)
{
	struct buf out = buf_new(arena, text.n + 256);
	uint64_t lines = lines_count(view->text);

	if (lines != view->last - view->first + 1 ||
	    view->last > view->total || view->text.n > VIEW_MAX_BYTES)
		return false;
	/* A last LF that is one byte over the limit is also cut "by lines". */
	if (view->notice == VIEW_CUT_LINES && lines != VIEW_MAX_LINES &&
	    view->text.n != VIEW_MAX_BYTES)
		return false;
	view_write(&out, view, SPAN(""));
	return is_written(buf_span(&out), text);
}

bool
recorded_notice(struct arena *arena, struct span text, uint64_t first,
    uint64_t last, uint64_t *total)
{
	struct view view = {.first = first, .last = last};
	struct span notice = text;
	uint64_t number;

	if (!take(&notice, SPAN("\n\n[Showing lines ")) ||
	    !take_number(&notice, &number) || !take(&notice, SPAN("-")) ||
	    !take_number(&notice, &number) || !take(&notice, SPAN(" of ")) ||
	    !take_number(&notice, &view.total))
		return false;
	*total = view.total;
	for (int kind = VIEW_CUT_LINES; kind <= VIEW_CUT_BYTES; kind++) {
		struct buf out = buf_new(arena, text.n + 64);

		view.notice = (enum view_notice)kind;
		buf_str(&out, "\n\n");
		view_write_notice(&out, &view);
		if (is_written(buf_span(&out), text))
			return true;
	}
	return false;
}

/* Is it the host's notice for a line that is too long?  It shows no line. */
static bool
is_too_long(struct span text, uint64_t first)
{
	uint64_t number;

	return text.n > 0 && text.p[text.n - 1] == ']' &&
	       take(&text, SPAN("[Line ")) && take_number(&text, &number) &&
	       number == first && take(&text, SPAN(" is ")) &&
	       bytes_find(text.p, text.n, ", exceeds ", 10) != NULL;
}

bool
recorded_view(struct arena *arena, struct span text, uint64_t offset,
    uint64_t limit, struct view *view)
{
	struct span notice;
	uint64_t lines;

	*view = (struct view){.first = offset > 0 ? offset : 1};
	if (split_notice(text, &view->text, &notice) &&
	    read_notice(notice, limit, view) && gives(arena, view, text))
		return true;
	if (read_old_notice(text, view))
		return true;
	if (is_too_long(text, view->first))
		return false;
	lines = lines_count(text);
	view->text = text;
	view->notice = VIEW_WHOLE;
	view->last = view->total = view->first + lines - 1;
	return text.n <= VIEW_MAX_BYTES && lines <= VIEW_MAX_LINES + 1 &&
	    (limit == 0 || lines <= limit);
}
