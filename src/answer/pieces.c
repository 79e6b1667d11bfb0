#include "answer/pieces.h"

#include <stdlib.h>

#include "answer/render.h"
#include "base/lines.h"

/* Does line I of TRACE go on where the line before it ends? */
static bool
goes_on(const struct trace *trace, uint64_t i)
{
	const struct traced_line *line = &trace->lines[i];

	return line->kind == line[-1].kind &&
	    (line->kind != TRACE_SHOWN || line->former == line[-1].former + 1);
}

static void
find_runs(struct pieces *pieces, const struct trace *trace, uint64_t first)
{
	for (uint64_t i = 0; i < trace->n; i++) {
		const struct traced_line *line = &trace->lines[i];

		if (i > 0 && goes_on(trace, i)) {
			pieces->runs[pieces->n - 1].last++;
			continue;
		}
		pieces->runs[pieces->n++] = (struct run){
		    line->kind, first + i, first + i, line->former};
	}
}

/* Join runs of text that stand beside each other. */
static void
join_texts(struct pieces *pieces)
{
	size_t n = 0;

	for (size_t i = 0; i < pieces->n; i++) {
		struct run run = pieces->runs[i];

		if (n > 0 && run.kind == TRACE_TEXT &&
		    pieces->runs[n - 1].kind == TRACE_TEXT)
			pieces->runs[n - 1].last = run.last;
		else
			pieces->runs[n++] = run;
	}
	pieces->n = n;
}

/* The lines of RUN as they are now. */
static struct span
text_of(struct scale *s, const struct run *run)
{
	struct span text = SPAN("");

	(void)scale_slice(s, &s->now, run->first, run->last, &text);
	return text;
}

/* A run that is not sent as text, and the bytes that this would take. */
struct spared {
	size_t at, bytes;
};

static int
by_bytes(const void *a, const void *b)
{
	const struct spared *one = a, *other = b;

	if (one->bytes != other->bytes)
		return one->bytes < other->bytes ? -1 : 1;
	return (one->at > other->at) - (one->at < other->at);
}

enum { HEADER_BYTES = 64 }; /* about what the line above a part takes */

/* Send small runs as text, until there are few enough and each is worth it. */
static void
reduce(struct scale *s, struct pieces *pieces)
{
	struct run *runs = pieces->runs;
	struct spared *spared = arena_array(s->arena, pieces->n,
	    sizeof(*spared));
	size_t n = 0, parts = pieces->n;

	for (size_t i = 0; i < pieces->n; i++)
		if (runs[i].kind != TRACE_TEXT)
			spared[n++] = (struct spared){
			    i, text_of(s, &runs[i]).n};
	qsort(spared, n, sizeof(*spared), by_bytes);
	for (size_t i = 0; i < n; i++) {
		size_t at = spared[i].at;

		if (parts <= PARTS_MAX && spared[i].bytes > HEADER_BYTES)
			break;
		/* It joins the texts beside it. */
		parts -= at > 0 && runs[at - 1].kind == TRACE_TEXT;
		parts -= at + 1 < pieces->n &&
		    runs[at + 1].kind == TRACE_TEXT;
		runs[at].kind = TRACE_TEXT;
	}
	join_texts(pieces);
}

/* Note a place.  False: there are too many. */
static bool
add_place(struct pieces *pieces, uint64_t first, uint64_t last)
{
	if (pieces->nplaces == PLACES_MAX)
		return false;
	pieces->places[pieces->nplaces++] = (struct change_place){first, last};
	return true;
}

/* Where the reader's changes are among the requested lines. */
static bool
find_places(struct pieces *pieces, const struct trace *trace, uint64_t first,
    bool ends)
{
	const struct traced_line *lines = trace->lines;

	for (uint64_t i = 0; i < trace->n; i++) {
		if (lines[i].cut && !add_place(pieces, first + i, 0))
			return false;
		if (!lines[i].edited)
			continue;
		if (i > 0 && lines[i - 1].edited && !lines[i].cut)
			pieces->places[pieces->nplaces - 1].last++;
		else if (!add_place(pieces, first + i, first + i))
			return false;
	}
	return !ends || !trace->cut_end || add_place(pieces, 0, 0);
}

/* Has every line that was shown the number that it had then? */
static bool
in_place(const struct pieces *pieces)
{
	for (size_t i = 0; i < pieces->n; i++)
		if (pieces->runs[i].kind == TRACE_SHOWN &&
		    pieces->runs[i].former != pieces->runs[i].first)
			return false;
	return true;
}

/* Is one place all of the requested lines? */
static bool
all_edited(const struct pieces *pieces, const struct excerpt *shown)
{
	return pieces->nplaces == 1 &&
	    pieces->places[0].first == shown->first &&
	    pieces->places[0].last == shown->last;
}

/*
 * Send as text what would need former numbers.  Another answer that comes with
 * this one may speak of the same lines, and then: former to which of the two?
 */
static void
keep_numbers(struct pieces *pieces)
{
	for (size_t i = 0; i < pieces->n; i++)
		if (pieces->runs[i].kind == TRACE_SHOWN &&
		    pieces->runs[i].former != pieces->runs[i].first)
			pieces->runs[i].kind = TRACE_TEXT;
	join_texts(pieces);
}

/* The form of an answer that contains no text of the lines. */
static enum pieces_form
find_form(struct pieces *pieces, const struct trace *trace,
    const struct excerpt *shown)
{
	bool full = excerpt_scope(shown).kind == SCOPE_FULL;
	bool one = pieces->n == 1;
	bool own = one && pieces->runs[0].kind == TRACE_OWN;
	bool told = find_places(pieces, trace, shown->first,
	    shown->last == shown->total);
	bool alone = !trace->others;

	if (alone && told && pieces->nplaces > 0 &&
	    (full || (in_place(pieces) && !all_edited(pieces, shown))))
		return PIECES_EDITED;
	if (full)
		return own && alone && trace->written && told
			   ? PIECES_WRITTEN
			   : PIECES_PARTS;
	if (own)
		return PIECES_WRITTEN;
	if (one)
		return in_place(pieces) ? PIECES_UNCHANGED : PIECES_MOVED;
	return PIECES_PARTS;
}

/* T10: do the runs give the requested lines, one after the other? */
static bool
hold(struct scale *s, const struct pieces *pieces, const struct trace *trace)
{
	const struct excerpt *shown = s->asked->shown;
	uint64_t next = shown->first;
	struct span now, then;

	for (size_t i = 0; i < pieces->n; i++) {
		const struct run *run = &pieces->runs[i];

		if (run->first != next || run->last < run->first)
			return false;
		next = run->last + 1;
		if (run->kind != TRACE_SHOWN)
			continue;
		for (uint64_t k = run->first; k <= run->last; k++)
			if (!scale_slice(s, &s->now, k, k, &now) ||
			    !scale_slice(s,
				trace->lines[k - shown->first].from,
				run->former + (k - run->first),
				run->former + (k - run->first), &then) ||
			    !span_eq(now, then))
				return false;
	}
	return next == shown->last + 1;
}

/* Is the answer short enough? */
static bool
saves(struct scale *s, const struct pieces *pieces)
{
	uint64_t plain = excerpt_bytes(s->asked->shown);
	struct buf text = buf_new(s->arena, 256);

	pieces_render(&text, s->asked->shown, pieces, true);
	return pieces->form == PIECES_PARTS ? text.n <= plain / 2
					    : text.n < plain;
}

struct pieces
pieces_plan(struct scale *s, const struct trace *trace)
{
	const struct excerpt *shown = s->asked->shown;
	struct pieces pieces = {
	    .runs = arena_array(s->arena, trace->n, sizeof(struct run)),
	    .elsewhere = !digest_eq(&trace->base, &s->asked->hash),
	};

	find_runs(&pieces, trace, shown->first);
	pieces.form = trace->whole ? find_form(&pieces, trace, shown)
				   : PIECES_PARTS;
	if (s->asked->read_beside &&
	    (pieces.form == PIECES_MOVED || pieces.form == PIECES_PARTS)) {
		keep_numbers(&pieces);
		pieces.form = PIECES_PARTS;
	}
	if (pieces.form == PIECES_PARTS) {
		reduce(s, &pieces);
		if (pieces.n == 1 && pieces.runs[0].kind == TRACE_TEXT)
			pieces.form = PIECES_NONE;
	}
	if (pieces.form != PIECES_NONE &&
	    (!hold(s, &pieces, trace) || !saves(s, &pieces)))
		pieces.form = PIECES_NONE;
	return pieces;
}

bool
pieces_are_own(const struct pieces *pieces, const struct trace *trace)
{
	return !trace->others && pieces->form != PIECES_PARTS &&
	    pieces->form != PIECES_MOVED;
}

/* Lines FIRST to LAST, in words. */
static void
write_lines(struct buf *buf, uint64_t first, uint64_t last)
{
	buf_str(buf, first == last ? "line " : "lines ");
	buf_u64(buf, first);
	if (first == last)
		return;
	buf_char(buf, '-');
	buf_u64(buf, last);
}

static void
write_range(struct buf *buf, uint64_t first, uint64_t last)
{
	buf_u64(buf, first);
	buf_char(buf, '-');
	buf_u64(buf, last);
}

static void
write_of(struct buf *buf, uint64_t total)
{
	buf_str(buf, " of ");
	buf_u64(buf, total);
}

static void
write_places(struct buf *buf, const struct pieces *pieces)
{
	for (size_t i = 0; i < pieces->nplaces; i++) {
		const struct change_place *place = &pieces->places[i];

		if (i > 0)
			buf_str(buf, ", ");
		if (place->first == 0)
			buf_str(buf, "removed at the end");
		else if (place->last == 0)
			buf_str(buf, "removed before ");
		if (place->first > 0)
			write_lines(buf, place->first,
			    place->last > 0 ? place->last : place->first);
	}
}

/* N lines from FIRST on, as in a unified diff. */
static void
write_span(struct buf *buf, char side, uint64_t first, uint64_t n)
{
	buf_char(buf, side);
	buf_u64(buf, first);
	buf_char(buf, ',');
	buf_u64(buf, n);
	buf_char(buf, ' ');
}

/* TEXT, each of its lines with a + before it. */
static void
write_text(struct buf *buf, struct span text)
{
	for (;;) {
		const char *lf = memchr(text.p, '\n', text.n);
		size_t n = lf != NULL ? (size_t)(lf - text.p) : text.n;

		buf_str(buf, "\n+");
		buf_add(buf, (struct span){text.p, n});
		if (lf == NULL)
			return;
		text = span_from(text, n + 1);
	}
}

static void
write_part(struct buf *buf, const struct excerpt *shown, const struct run *run)
{
	uint64_t n = run->last - run->first + 1;
	struct span text;

	buf_str(buf, "\n@@ ");
	if (run->kind == TRACE_SHOWN)
		write_span(buf, '-', run->former, n);
	write_span(buf, '+', run->first, n);
	switch (run->kind) {
	case TRACE_SHOWN:
		buf_str(buf, "@@ unchanged");
		if (run->former == run->first)
			break;
		buf_str(buf, ", shown before as ");
		write_lines(buf, run->former, run->former + n - 1);
		break;
	case TRACE_OWN:
		buf_str(buf, n == 1 ? "@@ as you wrote it"
				    : "@@ as you wrote them");
		break;
	case TRACE_TEXT:
		buf_str(buf, "@@ text");
		if (lines_slice(shown->lines, run->first - shown->first + 1,
			run->last - shown->first + 1, &text))
			write_text(buf, text);
		break;
	}
}

static void
write_head(struct buf *buf, const struct excerpt *shown,
    const struct pieces *pieces)
{
	bool full = excerpt_scope(shown).kind == SCOPE_FULL;

	switch (pieces->form) {
	case PIECES_WRITTEN:
		buf_str(buf, full ? "unchanged since you wrote it, " : "lines ");
		if (full) {
			buf_u64(buf, shown->total);
			buf_str(buf, " lines");
			break;
		}
		write_range(buf, shown->first, shown->last);
		write_of(buf, shown->total);
		buf_str(buf, " are as you wrote them");
		break;
	case PIECES_EDITED:
		buf_str(buf, "your edits are in place: ");
		write_places(buf, pieces);
		buf_str(buf, "; nothing else changed");
		if (full) {
			buf_str(buf, "; ");
			buf_u64(buf, shown->total);
			buf_str(buf, " lines");
			break;
		}
		buf_str(buf, " in lines ");
		write_range(buf, shown->first, shown->last);
		write_of(buf, shown->total);
		break;
	case PIECES_MOVED:
		buf_str(buf, "unchanged in lines ");
		write_range(buf, shown->first, shown->last);
		write_of(buf, shown->total);
		buf_str(buf, "; shown before as lines ");
		write_range(buf, pieces->runs[0].former,
		    pieces->runs[0].former + (shown->last - shown->first));
		break;
	case PIECES_PARTS:
		buf_str(buf, "lines ");
		write_range(buf, shown->first, shown->last);
		write_of(buf, shown->total);
		buf_str(buf, " in ");
		buf_u64(buf, pieces->n);
		buf_str(buf, pieces->n == 1 ? " part" : " parts");
		buf_str(buf, "; + is text, all other lines are as shown "
			     "before or as you wrote them");
		break;
	case PIECES_UNCHANGED:
	case PIECES_NONE:
		break;
	}
}

void
pieces_render(struct buf *buf, const struct excerpt *shown,
    const struct pieces *pieces, bool again)
{
	if (pieces->form == PIECES_UNCHANGED) {
		render_marker(buf, shown, pieces->elsewhere, again);
		return;
	}
	buf_str(buf, "[readcache: ");
	write_head(buf, shown, pieces);
	render_marker_end(buf, again);
	if (pieces->form == PIECES_PARTS)
		for (size_t i = 0; i < pieces->n; i++)
			write_part(buf, shown, &pieces->runs[i]);
	if (shown->cut)
		buf_add(buf, shown->after);
}
