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
	       (line->kind == TRACE_TEXT ||
		   (line->former == 0 && line[-1].former == 0) ||
		   (line[-1].former > 0 &&
		       line->former == line[-1].former + 1));
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
	struct spared *spared =
	    arena_array(s->arena, pieces->n, sizeof(*spared));
	size_t n = 0, parts = pieces->n;

	for (size_t i = 0; i < pieces->n; i++)
		if (runs[i].kind != TRACE_TEXT)
			spared[n++] =
			    (struct spared){i, text_of(s, &runs[i]).n};
	qsort(spared, n, sizeof(*spared), by_bytes);
	for (size_t i = 0; i < n; i++) {
		size_t at = spared[i].at;

		if (parts <= PARTS_MAX && spared[i].bytes > HEADER_BYTES)
			break;
		/* It joins the texts beside it. */
		parts -= at > 0 && runs[at - 1].kind == TRACE_TEXT;
		parts -= at + 1 < pieces->n && runs[at + 1].kind == TRACE_TEXT;
		runs[at].kind = TRACE_TEXT;
	}
	join_texts(pieces);
}

/* How many lines are tried as the lead of others. */
enum { LEADS_MAX = 8 };

/*
 * The first line of RUN, which others have moved, by which the reader finds the
 * rest: the file has it only once, so had what the reader made, and it did not
 * write such a line before.  0: none.
 */
static uint64_t
find_lead(struct scale *s, const struct trace *trace, const struct run *run)
{
	struct span line;

	for (uint64_t k = run->first; k < run->last; k++) {
		if (k - run->first == LEADS_MAX ||
		    !scale_slice(s, &s->now, k, k, &line))
			break;
		if (scale_is_only_line(s->now.piece.text, line) &&
		    scale_is_only_line(trace->made->piece.text, line) &&
		    !trace_wrote_before(s, trace, line))
			return k;
	}
	return 0;
}

/*
 * Send as text the lines of RUN up to the one by which the reader finds the
 * rest of them; or all, if there is none, or if it is not worth it.
 */
static void
lead(
    struct scale *s, struct pieces *pieces, const struct trace *trace, size_t i)
{
	struct run *run = &pieces->runs[i];
	bool after_text = i > 0 && run[-1].kind == TRACE_TEXT;
	uint64_t at = run->former > 0 ? find_lead(s, trace, run) : run->first;
	struct run rest = *run;

	rest.first = at + 1;
	if (at == 0 || at == run->last ||
	    (!after_text && pieces->n == PARTS_MAX) ||
	    text_of(s, &rest).n <= HEADER_BYTES) {
		run->kind = TRACE_TEXT;
		return;
	}
	if (run->former > 0)
		rest.former = run->former + (rest.first - run->first);
	if (after_text) {
		run[-1].last = at;
	} else {
		memmove(run + 1, run, (pieces->n - i) * sizeof(*run));
		pieces->n++;
		*run = (struct run){TRACE_TEXT, run->first, at, 0};
		run++;
	}
	*run = rest;
}

/*
 * Can the reader tell where the own lines of run I are without a lead?  By
 * their numbers, if others have not moved them.  But after a text it looks at
 * the last line of that: this must be its own, which stands just before them.
 * After other own lines it might take them for those that come next.
 */
static bool
needs_lead(const struct pieces *pieces, const struct trace *trace, size_t i,
    uint64_t first)
{
	const struct run *run = &pieces->runs[i];
	const struct traced_line *before;

	if (run->former > 0)
		return true;
	if (i == 0 || run[-1].kind == TRACE_SHOWN)
		return false;
	before = &trace->lines[run->first - first - 1];
	return run[-1].kind != TRACE_TEXT || before->kind != TRACE_OWN ||
	       before->former > 0;
}

/* Own lines come after a line of text by which the reader finds them. */
static void
lead_own(struct scale *s, struct pieces *pieces, const struct trace *trace)
{
	/* From the end: a new run comes before the one that it leads. */
	for (size_t i = pieces->n; i-- > 0;)
		if (pieces->runs[i].kind == TRACE_OWN &&
		    needs_lead(pieces, trace, i, s->asked->shown->first))
			lead(s, pieces, trace, i);
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
find_places(
    struct pieces *pieces, const struct trace *trace, uint64_t first, bool ends)
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
		if (pieces->runs[i].former > 0 &&
		    (pieces->runs[i].kind == TRACE_OWN ||
			pieces->runs[i].former != pieces->runs[i].first))
			pieces->runs[i].kind = TRACE_TEXT;
	join_texts(pieces);
}

/* Is it enough to name the places of the reader's changes? */
static bool
edits_say_all(struct pieces *pieces, const struct trace *trace,
    const struct excerpt *shown)
{
	return trace->whole && trace->placed && !trace->others &&
	       find_places(
		   pieces, trace, shown->first, shown->last == shown->total) &&
	       pieces->nplaces > 0 &&
	       (excerpt_scope(shown).kind == SCOPE_FULL ||
		   !all_edited(pieces, shown));
}

/* The form of an answer that does not name the places of edits. */
static enum pieces_form
find_form(const struct pieces *pieces, const struct trace *trace,
    const struct excerpt *shown)
{
	const struct run *run = &pieces->runs[0];
	bool one = pieces->n == 1;
	bool own = one && run->kind == TRACE_OWN && run->former == 0;

	if (excerpt_scope(shown).kind == SCOPE_FULL)
		return own && !trace->others && trace->written &&
			       pieces->nplaces == 0
			   ? PIECES_WRITTEN
			   : PIECES_PARTS;
	if (own)
		return PIECES_WRITTEN;
	if (one && run->kind == TRACE_SHOWN && !in_place(pieces))
		return PIECES_MOVED;
	/* Parts say where the file ends now: others may have changed that. */
	if (one && run->kind == TRACE_SHOWN &&
	    (shown->last < shown->total || !pieces->elsewhere))
		return PIECES_UNCHANGED;
	return PIECES_PARTS;
}

/* Send as text the lines that can only be told by their former numbers. */
static void
drop_vague(struct trace *trace)
{
	for (uint64_t i = 0; i < trace->n; i++)
		if (trace->lines[i].vague &&
		    trace->lines[i].kind == TRACE_SHOWN)
			trace->lines[i].kind = TRACE_TEXT;
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
		if (run->kind == TRACE_TEXT || run->former == 0)
			continue;
		for (uint64_t k = run->first; k <= run->last; k++) {
			const struct traced_line *line =
			    &trace->lines[k - shown->first];
			uint64_t former = run->former + (k - run->first);

			if (!scale_slice(s, &s->now, k, k, &now) ||
			    !scale_slice(s,
				run->kind == TRACE_OWN ? trace->made
						       : line->from,
				former, former, &then) ||
			    !span_eq(now, then))
				return false;
		}
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
pieces_plan(struct scale *s, struct trace *trace)
{
	const struct excerpt *shown = s->asked->shown;
	struct pieces pieces = {
	    .runs =
		arena_array(s->arena, trace->n + PARTS_MAX, sizeof(struct run)),
	    .elsewhere = !digest_eq(&trace->base, &s->asked->hash),
	};

	if (edits_say_all(&pieces, trace, shown))
		pieces.form = PIECES_EDITED;
	else
		drop_vague(trace);
	find_runs(&pieces, trace, shown->first);
	if (pieces.form == PIECES_NONE)
		pieces.form = find_form(&pieces, trace, shown);
	if (s->asked->read_beside &&
	    (pieces.form == PIECES_MOVED || pieces.form == PIECES_PARTS)) {
		keep_numbers(&pieces);
		pieces.form = PIECES_PARTS;
	}
	if (pieces.form == PIECES_PARTS) {
		reduce(s, &pieces);
		lead_own(s, &pieces, trace);
	}
	if (!hold(s, &pieces, trace) || !saves(s, &pieces))
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
		break;
	case TRACE_OWN:
		buf_str(buf,
		    n == 1 ? "@@ as you wrote it" : "@@ as you wrote them");
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
write_head(
    struct buf *buf, const struct excerpt *shown, const struct pieces *pieces)
{
	bool full = excerpt_scope(shown).kind == SCOPE_FULL;

	switch (pieces->form) {
	case PIECES_WRITTEN:
		buf_str(
		    buf, full ? "unchanged since you wrote it, " : "lines ");
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
		buf_str(buf, "; + is text, you have the rest");
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
