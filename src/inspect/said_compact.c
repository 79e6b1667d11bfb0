/*
 * The forms of SPEC 9.  A text that only looks like one of them is not one.
 */
#include "base/buf.h"
#include "host/host.h"
#include "inspect/said.h"
#include "inspect/said_words.h"

/* Is REST empty, or the host's own notice for the lines of the answer? */
static bool
ends_lines(
    struct arena *scratch, struct span rest, const struct answer_said *said)
{
	uint64_t total;

	if (rest.n == 0)
		return true;
	return host->notice(scratch, rest, said->first, said->last, &total) &&
	       (said->total == 0 || said->total == total);
}

/* Take the end of a head line, which may name the way out (SPEC 16). */
static bool
take_end(struct span *s)
{
	(void)take(s, SPAN("; read again for the text"));
	return take(s, SPAN("]"));
}

/* Take " of N", the lines of the file, which LAST must be one of. */
static bool
take_total(struct span *s, struct answer_said *said)
{
	return take(s, SPAN(" of ")) && take_number(s, &said->total) &&
	       said->last <= said->total;
}

static void
set_piece(
    struct arena *scratch, struct answer_said *said, struct said_piece piece)
{
	struct said_piece *kept = arena_alloc(scratch, sizeof(*kept));

	*kept = piece;
	said->kind = SAID_PIECES;
	said->pieces = kept;
	said->npieces = 1;
}

/* Read what follows "unchanged in lines 5-9 of 20; shown before as ". */
static bool
read_moved(struct arena *scratch, struct span *rest, struct answer_said *said)
{
	uint64_t first, last;

	if (!take(rest, SPAN("lines ")) || !take_range(rest, &first, &last) ||
	    last - first != said->last - said->first || first == said->first)
		return false;
	set_piece(scratch, said,
	    (struct said_piece){.kind = LINES_SHOWN,
		.first = said->first,
		.last = said->last,
		.former = first,
		.text = SPAN("")});
	return true;
}

/* Read what follows "unchanged in lines ". */
static bool
read_same_lines(
    struct arena *scratch, struct span rest, struct answer_said *said)
{
	said->kind = SAID_SAME_LINES;
	if (!take_range(&rest, &said->first, &said->last))
		return false;
	if (span_starts(rest, SPAN(" of "))) {
		if (!take_total(&rest, said))
			return false;
		if (take(&rest, SPAN("; shown before as ")) &&
		    !read_moved(scratch, &rest, said))
			return false;
	} else if (!take(&rest, SPAN("; changes exist outside this range"))) {
		return false;
	}
	return take_end(&rest) && ends_lines(scratch, rest, said);
}

/* Read "N lines]", the end of what is said of the whole file. */
static bool
read_whole(struct span rest, struct answer_said *said, enum said_kind kind)
{
	said->kind = kind;
	if (!take_line_number(&rest, &said->total) ||
	    !take(&rest, SPAN(" lines")) || !take_end(&rest))
		return false;
	said->first = 1;
	said->last = said->total;
	return rest.n == 0;
}

/* Take one line with its LF off the front of S, if it begins with BEGINS. */
static bool
skip_line(struct span *s, struct span begins)
{
	const char *lf = memchr(s->p, '\n', s->n);

	if (lf == NULL || !span_starts(*s, begins))
		return false;
	*s = span_from(*s, (size_t)(lf - s->p) + 1);
	return true;
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
	if (!skip_line(&rest, SPAN("--- ")) || !skip_line(&rest, SPAN("+++ ")))
		return false;
	said->text = rest;
	return true;
}

/* ---- own edits ---- */

/*
 * Take "lines 5-9", "line 5", "removed before line 5" or "removed at the end".
 */
static bool
take_place(struct span *s, struct said_piece *place)
{
	*place = (struct said_piece){.kind = LINES_OWN, .text = SPAN("")};
	if (take(s, SPAN("lines ")))
		return take_range(s, &place->first, &place->last) &&
		       place->first < place->last;
	if (take(s, SPAN("line "))) {
		if (!take_line_number(s, &place->first))
			return false;
		place->last = place->first;
		return true;
	}
	place->kind = LINES_GONE;
	if (take(s, SPAN("removed at the end")))
		return true; /* its number is not known yet */
	if (!take(s, SPAN("removed before line ")) ||
	    !take_line_number(s, &place->first))
		return false;
	place->last = place->first - 1;
	return true;
}

/* Are the places in order, and in lines FIRST to LAST of the file? */
static bool
places_fit(const struct answer_said *said, struct said_piece *places)
{
	uint64_t next = said->first;

	for (size_t i = 0; i < said->npieces; i++) {
		struct said_piece *place = &places[i];

		if (place->first == 0) { /* at the end */
			place->first = said->total + 1;
			place->last = said->total;
			return i + 1 == said->npieces &&
			       said->last == said->total;
		}
		if (place->first < next || place->first > said->last ||
		    place->last > said->last ||
		    (i > 0 && place->kind == LINES_GONE &&
			places[i - 1].kind == LINES_GONE &&
			place->first == next))
			return false;
		next = place->last + 1;
	}
	return true;
}

/* Read what follows "your edits are in place: ". */
static bool
read_edits(struct arena *scratch, struct span rest, struct answer_said *said)
{
	struct said_piece *places =
	    arena_array(scratch, SAID_PLACES_MAX, sizeof(*places));

	said->kind = SAID_EDITS;
	said->pieces = places;
	do {
		if (said->npieces == SAID_PLACES_MAX ||
		    !take_place(&rest, &places[said->npieces++]))
			return false;
	} while (take(&rest, SPAN(", ")));
	if (!take(&rest, SPAN("; nothing else changed")))
		return false;
	if (take(&rest, SPAN("; ")))
		return read_whole(rest, said, SAID_EDITS) &&
		       places_fit(said, places);
	return take(&rest, SPAN(" in lines ")) &&
	       take_range(&rest, &said->first, &said->last) &&
	       take_total(&rest, said) && take_end(&rest) &&
	       places_fit(said, places) && ends_lines(scratch, rest, said);
}

/* ---- pieces ---- */

/* Take the text that a piece shows: its lines, each with a plus before it. */
static bool
take_text(struct arena *scratch, struct span *s, struct said_piece *piece)
{
	struct buf text = buf_new(scratch, 256);

	for (uint64_t i = piece->first; i <= piece->last; i++) {
		const char *lf;
		size_t n;

		if (!take(s, SPAN("\n+")))
			return false;
		lf = memchr(s->p, '\n', s->n);
		n = lf != NULL ? (size_t)(lf - s->p) : s->n;
		if (i > piece->first)
			buf_char(&text, '\n');
		buf_add(&text, (struct span){s->p, n});
		*s = span_from(*s, n);
	}
	piece->text = buf_span(&text);
	return true;
}

/* Take the number and the count in "+120,3 @@ ", as lines. */
static bool
take_lines(struct span *s, uint64_t *first, uint64_t *last)
{
	uint64_t count;

	if (!take_line_number(s, first) || !take(s, SPAN(",")) ||
	    !take_line_number(s, &count))
		return false;
	*last = *first + count - 1;
	return true;
}

/* Take one piece, from "@@ " on; the LF after it is left. */
static bool
take_piece(struct arena *scratch, struct span *s, struct said_piece *piece)
{
	uint64_t end = 0;

	*piece = (struct said_piece){.kind = LINES_OWN, .text = SPAN("")};
	if (!take(s, SPAN("@@ ")))
		return false;
	if (take(s, SPAN("-"))) {
		piece->kind = LINES_SHOWN;
		if (!take_lines(s, &piece->former, &end) || !take(s, SPAN(" ")))
			return false;
	}
	if (!take(s, SPAN("+")) ||
	    !take_lines(s, &piece->first, &piece->last) ||
	    !take(s, SPAN(" @@ ")))
		return false;
	if (piece->kind == LINES_SHOWN)
		return end - piece->former == piece->last - piece->first &&
		       take(s, SPAN("unchanged"));
	if (take(s, SPAN("as you wrote ")))
		return take(
		    s, piece->first == piece->last ? SPAN("it") : SPAN("them"));
	piece->kind = LINES_TEXT;
	return take(s, SPAN("text")) && take_text(scratch, s, piece);
}

/* Read the N pieces; together they are the lines of the head. */
static bool
read_pieces(struct arena *scratch, struct span rest, uint64_t n,
    struct answer_said *said)
{
	struct said_piece *pieces;
	uint64_t next = said->first;

	if (n == 0 || n > SAID_PIECES_MAX)
		return false;
	pieces = arena_array(scratch, n, sizeof(*pieces));
	said->pieces = pieces;
	while (said->npieces < n) {
		struct said_piece *piece = &pieces[said->npieces++];

		if (!take(&rest, SPAN("\n")) ||
		    !take_piece(scratch, &rest, piece) || piece->first != next)
			return false;
		next = piece->last + 1;
	}
	return next == said->last + 1 && ends_lines(scratch, rest, said);
}

/* Read what follows "lines ". */
static bool
read_lines(struct arena *scratch, struct span rest, struct answer_said *said)
{
	uint64_t parts;

	said->kind = SAID_PIECES;
	if (!take_range(&rest, &said->first, &said->last) ||
	    !take_total(&rest, said))
		return false;
	if (take(&rest, SPAN(" are as you wrote them"))) {
		set_piece(scratch, said,
		    (struct said_piece){.kind = LINES_OWN,
			.first = said->first,
			.last = said->last,
			.text = SPAN("")});
		return take_end(&rest) && ends_lines(scratch, rest, said);
	}
	return take(&rest, SPAN(" in ")) && take_number(&rest, &parts) &&
	       take(&rest, parts == 1 ? SPAN(" part") : SPAN(" parts")) &&
	       take(&rest, SPAN("; + is text, you have the rest")) &&
	       take_end(&rest) && read_pieces(scratch, rest, parts, said);
}

bool
said_compact(struct arena *scratch, struct span text, struct answer_said *said)
{
	*said = (struct answer_said){.text = SPAN("")};
	if (!take(&text, SPAN("[readcache: ")))
		return false;
	if (take(&text, SPAN("unchanged, ")))
		return read_whole(text, said, SAID_SAME);
	if (take(&text, SPAN("unchanged since you wrote it, ")))
		return read_whole(text, said, SAID_WRITTEN);
	if (take(&text, SPAN("unchanged in lines ")))
		return read_same_lines(scratch, text, said);
	if (take(&text, SPAN("your edits are in place: ")))
		return read_edits(scratch, text, said);
	if (take(&text, SPAN("lines ")))
		return read_lines(scratch, text, said);
	return read_diff(text, said);
}
