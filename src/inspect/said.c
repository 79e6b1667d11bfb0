#include "inspect/said.h"

#include "base/lines.h"
#include "host/pi/recorded.h"
#include "os/bytes.h"

static bool
take(struct span *s, struct span literal)
{
	if (!span_starts(*s, literal))
		return false;
	*s = span_from(*s, literal.n);
	return true;
}

static bool
take_number(struct span *s, uint64_t *number)
{
	size_t n = 0;

	while (n < s->n && s->p[n] >= '0' && s->p[n] <= '9')
		n++;
	if (!number_parse((struct span){s->p, n}, number))
		return false;
	*s = span_from(*s, n);
	return true;
}

/* Take one line with its LF off the front of S, if it begins with BEGINS. */
static bool
take_line(struct span *s, struct span begins)
{
	const char *lf = memchr(s->p, '\n', s->n);

	if (lf == NULL || !span_starts(*s, begins))
		return false;
	*s = span_from(*s, (size_t)(lf - s->p) + 1);
	return true;
}

/* Is REST empty, or the host's own notice for the lines of a marker? */
static bool
ends_marker(
    struct arena *scratch, struct span rest, const struct answer_said *said)
{
	struct view view = {.first = said->first, .last = said->last};
	struct buf out;

	if (rest.n == 0)
		return true;
	for (int kind = VIEW_CUT_LINES; kind <= VIEW_CUT_BYTES; kind++) {
		struct span notice = rest;
		uint64_t number;

		view.notice = (enum view_notice)kind;
		if (!take(&notice, SPAN("\n\n[Showing lines ")) ||
		    !take_number(&notice, &number) ||
		    !take(&notice, SPAN("-")) ||
		    !take_number(&notice, &number) ||
		    !take(&notice, SPAN(" of ")) ||
		    !take_number(&notice, &view.total))
			return false;
		out = buf_new(scratch, rest.n + 64);
		buf_str(&out, "\n\n");
		view_write_notice(&out, &view);
		if (span_eq(buf_span(&out), rest))
			return said->total == 0 || said->total == view.total;
	}
	return false;
}

/* Read what follows "unchanged in lines ". */
static bool
read_same_lines(
    struct arena *scratch, struct span rest, struct answer_said *said)
{
	said->kind = SAID_SAME_LINES;
	if (!take_number(&rest, &said->first) || !take(&rest, SPAN("-")) ||
	    !take_number(&rest, &said->last) || said->first == 0 ||
	    said->first > said->last)
		return false;
	if (take(&rest, SPAN(" of "))) {
		if (!take_number(&rest, &said->total) ||
		    said->last > said->total || !take(&rest, SPAN("]")))
			return false;
	} else if (!take(&rest,
		       SPAN("; changes exist outside this range]"))) {
		return false;
	}
	return ends_marker(scratch, rest, said);
}

/* Read "N lines changed of M]", the two file lines, and hunks. */
static bool
read_diff(struct span rest, struct answer_said *said)
{
	uint64_t changed;

	said->kind = SAID_DIFF;
	if (!take_number(&rest, &changed) ||
	    !take(&rest, SPAN(" lines changed of ")) ||
	    !take_number(&rest, &said->total) || !take(&rest, SPAN("]\n")))
		return false;
	(void)take(&rest, SPAN("\n"));
	if (!take_line(&rest, SPAN("--- ")) || !take_line(&rest, SPAN("+++ ")))
		return false;
	said->text = rest;
	return true;
}

bool
said_compact(struct arena *scratch, struct span text, struct answer_said *said)
{
	*said = (struct answer_said){.text = SPAN("")};
	if (!take(&text, SPAN("[readcache: ")))
		return false;
	if (take(&text, SPAN("unchanged, "))) {
		said->kind = SAID_SAME;
		return take_number(&text, &said->total) && said->total > 0 &&
		    span_eq(text, SPAN(" lines]"));
	}
	if (take(&text, SPAN("unchanged in lines ")))
		return read_same_lines(scratch, text, said);
	return read_diff(text, said);
}

bool
said_is_anchor(const struct meta *meta)
{
	return !mode_is_compact(meta->read.mode);
}

/* TEXT as the lines from FIRST to the end of the file. */
static struct answer_said
to_the_end(struct span text, uint64_t first)
{
	uint64_t last = first + lines_count(text) - 1;

	return (struct answer_said){SAID_TEXT, first, last, last, text};
}

/* "[Line K is 60.0KB, exceeds ...]", for line FIRST. */
static bool
is_too_long(struct span text, uint64_t first)
{
	uint64_t line;

	return !span_has(text, '\n') && take(&text, SPAN("[Line ")) &&
	       take_number(&text, &line) && line == first &&
	       take(&text, SPAN(" is ")) &&
	       bytes_find(text.p, text.n, " limit. Use bash: sed -n '", 26) !=
		   NULL;
}

/* Read TEXT as an answer of the host's plain read. */
static struct answer_said
read_plain(struct arena *scratch, struct span text, uint64_t first,
    uint64_t limit)
{
	struct answer_said said = {.kind = SAID_UNKNOWN, .text = SPAN("")};
	struct view view;

	if (is_too_long(text, first)) {
		said.kind = SAID_TOO_LONG;
		said.first = said.last = first;
		return said;
	}
	if (!recorded_view(scratch, text, first, limit, &view))
		return said;
	return (struct answer_said){
	    SAID_TEXT, view.first, view.last, view.total, view.text};
}

/* Does SAID show exactly the lines that the metadata names? */
static bool
agrees(const struct answer_said *said, const struct event *read)
{
	bool full = read->scope.kind == SCOPE_FULL;

	return said->kind == SAID_TEXT && said->total == read->total &&
	    said->first == (full ? 1 : read->scope.first) &&
	    said->last == (full ? read->total : read->scope.last);
}

static bool
find_place(const struct said_about *about, uint64_t *first)
{
	*first = about->first;
	if (about->placed)
		return true;
	if (about->meta == NULL || !said_is_anchor(about->meta))
		return false;
	*first = about->meta->read.scope.kind == SCOPE_FULL
	    ? 1
	    : about->meta->read.scope.first;
	return true;
}

struct answer_said
said_read(struct arena *scratch, struct span text,
    const struct said_about *about)
{
	const struct event *anchor = NULL;
	struct answer_said compact, plain, whole;
	uint64_t first;

	if (about->meta != NULL && said_is_anchor(about->meta))
		anchor = &about->meta->read;
	/* A text with the file's own hash is the file. */
	if (anchor != NULL && digest_eq(&about->hash, &anchor->served))
		return to_the_end(text, 1);
	plain = (struct answer_said){.kind = SAID_UNKNOWN, .text = SPAN("")};
	if (find_place(about, &first)) {
		plain = read_plain(scratch, text, first, about->limit);
		whole = to_the_end(text, first);
		if (anchor != NULL && about->sealed && agrees(&plain, anchor))
			return plain;
		if (anchor != NULL && about->sealed && agrees(&whole, anchor))
			return whole;
	}
	return said_compact(scratch, text, &compact) ? compact : plain;
}
