#include "diff/replace.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/lines.h"
#include "base/utf8.h"
#include "diff/fuzzy.h"
#include "os/bytes.h"

#define MARK SPAN("\xef\xbb\xbf") /* the byte order mark */

/* Every replacement is looked for in the whole text. */
#define WORK_MAX ((size_t)64 * 1024 * 1024)

/* A replacement, and where its old text stands. */
struct spot {
	size_t begin, end;
	struct span new_text;
};

/* ---- finding the spots ---- */

/* TEXT with LF for CRLF.  False if there is any other CR. */
static bool
with_lf(struct arena *arena, struct span *text)
{
	struct span rest = *text;
	struct buf out;
	const char *cr = memchr(rest.p, '\r', rest.n);

	if (cr == NULL)
		return true;
	out = buf_new(arena, text->n);
	for (; cr != NULL; cr = memchr(rest.p, '\r', rest.n)) {
		size_t n = (size_t)(cr - rest.p);

		if (n + 1 == rest.n || cr[1] != '\n')
			return false;
		buf_add(&out, (struct span){rest.p, n});
		rest = span_from(rest, n + 1);
	}
	buf_add(&out, rest);
	*text = buf_span(&out);
	return true;
}

/* Does the first line of TEXT end with CRLF? */
static bool
has_crlf(struct span text)
{
	const char *lf = memchr(text.p, '\n', text.n);

	return lf != NULL && lf > text.p && lf[-1] == '\r';
}

static const char *
find(struct span text, struct span what)
{
	return bytes_find(text.p, text.n, what.p, what.n);
}

/* Is WHAT in TEXT again after AT, its first place?  It may overlap itself. */
static bool
is_there_again(struct span text, const char *at, struct span what)
{
	at++;
	return find((struct span){at, (size_t)(text.p + text.n - at)}, what) !=
	    NULL;
}

/*
 * OLD_TEXT is in TEXT once.  Is it at most once in FUZZY, the fuzzy form of
 * TEXT, where pi counts?
 */
static bool
counts_once(struct arena *arena, struct span text, struct span fuzzy,
    struct span old_text)
{
	struct span what;
	const char *at;

	if (!fuzzy_text(arena, old_text, &what) || what.n == 0)
		return false;
	if (fuzzy.p == text.p && what.p == old_text.p)
		return true; /* their fuzzy forms are themselves: once */
	at = find(fuzzy, what);
	return at == NULL || !is_there_again(fuzzy, at, what);
}

static int
by_begin(const void *a, const void *b)
{
	const struct spot *one = a, *other = b;

	return (one->begin > other->begin) - (one->begin < other->begin);
}

/* Find the spots of LIST in TEXT, in order.  False if pi would refuse. */
static bool
find_spots(struct arena *arena, struct span text,
    const struct replacement *list, size_t n, struct spot *spots)
{
	struct span fuzzy;

	if (!fuzzy_text(arena, text, &fuzzy))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct span old_text = list[i].old_text;
		const char *at;

		spots[i].new_text = list[i].new_text;
		if (!utf8_valid(old_text) || !utf8_valid(list[i].new_text) ||
		    !with_lf(arena, &old_text) ||
		    !with_lf(arena, &spots[i].new_text) || old_text.n == 0 ||
		    (at = find(text, old_text)) == NULL ||
		    is_there_again(text, at, old_text) ||
		    !counts_once(arena, text, fuzzy, old_text))
			return false;
		spots[i].begin = (size_t)(at - text.p);
		spots[i].end = spots[i].begin + old_text.n;
	}
	qsort(spots, n, sizeof(*spots), by_begin);
	for (size_t i = 1; i < n; i++)
		if (spots[i - 1].end > spots[i].begin)
			return false;
	return true;
}

/* ---- replacing ---- */

/* The new text as it is written, and what is known of its last line. */
struct writer {
	struct span old_text;
	size_t begin;  /* where the present line of the old text begins */
	uint32_t line; /* its number */

	struct buf out;
	struct line_origin *origins;
	struct replaced_place *places;
	size_t nplaces;
	uint64_t at; /* the line of the new text, from 0 on */
	bool cut;    /* lines were removed after it */

	/* Of this line of the new text: */
	uint32_t met[2]; /* the old lines that it met */
	size_t nmet;	 /* how many; more than two are only counted */
	uint32_t left;	 /* the first old line of which bytes are in it */
	uint32_t whole;	 /* an old line that is in it from end to end */
	bool joined;	 /* bytes of two old lines are in it */
	bool written;	 /* bytes of a new text are in it */
};

/* Is AT, of the old text, where a line begins?  Or where one ends? */
static bool
begins_line(struct span text, size_t at)
{
	return at == 0 || text.p[at - 1] == '\n';
}

static bool
ends_line(struct span text, size_t at)
{
	return at == text.n || text.p[at] == '\n';
}

/* The new line gets the old text FROM..TO, which is of the present old line. */
static void
keep_piece(struct writer *w, size_t from, size_t to)
{
	bool first = w->nmet == 0 || w->met[w->nmet > 1] != w->line;
	bool has_one = w->whole != 0 && w->left == w->whole;

	if (first && w->nmet < 2)
		w->met[w->nmet] = w->line;
	w->nmet += first;
	/* An empty line adds nothing to one that is there already. */
	if (from == w->begin && ends_line(w->old_text, to) &&
	    (to > from || !has_one))
		w->whole = w->line;
	if (to == from)
		return;
	if (w->left == 0)
		w->left = w->line;
	w->joined |= w->left != w->line;
}

/* The new line is complete: what is it made of? */
static struct line_origin
origin_of(const struct writer *w)
{
	struct line_origin origin = {.own = true};

	if (!w->written && !w->joined && w->whole != 0 &&
	    (w->left == 0 || w->left == w->whole)) {
		origin.own = false;
		origin.line = w->whole;
		return origin;
	}
	origin.lost = w->joined || w->nmet > 2;
	origin.line = w->left != 0 ? w->left : w->met[0];
	origin.also = w->met[origin.line == w->met[0]];
	return origin;
}

static void
end_line(struct writer *w)
{
	bool cut = w->origins[w->at].cut;

	w->origins[w->at] = origin_of(w);
	w->origins[w->at].cut = cut;
	w->met[0] = w->met[1] = 0;
	w->nmet = 0;
	w->left = w->whole = 0;
	w->joined = w->written = false;
}

static void
next_line(struct writer *w)
{
	end_line(w);
	w->at++;
	w->origins[w->at].cut = w->cut;
	w->cut = false;
}

/* Copy the old text FROM..TO. */
static void
keep(struct writer *w, size_t from, size_t to)
{
	size_t at = from;
	const char *lf;

	buf_add(&w->out, (struct span){w->old_text.p + from, to - from});
	while ((lf = memchr(w->old_text.p + at, '\n', to - at)) != NULL) {
		keep_piece(w, at, (size_t)(lf - w->old_text.p));
		next_line(w);
		at = (size_t)(lf - w->old_text.p) + 1;
		w->begin = at;
		w->line++;
	}
	keep_piece(w, at, to);
}

/*
 * Does the replacement at SPOT do nothing but remove whole lines?  Then no new
 * line says so, and it is noted in the next one.
 */
static void
note_removal(struct writer *w, const struct spot *spot)
{
	struct span text = w->old_text;
	bool ends = text.p[spot->begin] == '\n';

	if (spot->new_text.n == 0 && begins_line(text, spot->begin) &&
	    begins_line(text, spot->end)) {
		if (w->out.n == 0 || w->out.p[w->out.n - 1] == '\n')
			w->origins[w->at].cut = true;
	} else if (spot->new_text.n == 0) {
		w->cut |= ends && ends_line(text, spot->end);
	} else if (span_eq(spot->new_text, SPAN("\n"))) {
		w->cut |= ends && begins_line(text, spot->end) &&
		    spot->end > spot->begin + 1;
	}
}

/* Leave out the old text of SPOT, and write its new text. */
static void
replace(struct writer *w, const struct spot *spot)
{
	struct span rest = spot->new_text;
	const char *lf;

	w->places[w->nplaces].first = w->line;
	note_removal(w, spot);
	buf_add(&w->out, rest);
	while ((lf = memchr(rest.p, '\n', rest.n)) != NULL) {
		w->written |= lf > rest.p;
		next_line(w);
		rest = span_from(rest, (size_t)(lf - rest.p) + 1);
	}
	w->written |= rest.n > 0;
	for (size_t i = spot->begin; i < spot->end; i++) {
		if (w->old_text.p[i] != '\n')
			continue;
		w->begin = i + 1;
		w->line++;
	}
	/* If it ends with a line end, it has no byte of the line after that. */
	w->places[w->nplaces++].last =
	    w->line - (w->begin == spot->end && spot->end > spot->begin);
}

/* LF_TEXT with CRLF for LF. */
static struct span
with_crlf(struct arena *arena, struct span lf_text, uint64_t lines)
{
	struct buf out = buf_new(arena, lf_text.n + (size_t)lines);
	const char *lf;

	while ((lf = memchr(lf_text.p, '\n', lf_text.n)) != NULL) {
		size_t n = (size_t)(lf - lf_text.p);

		buf_add(&out, (struct span){lf_text.p, n});
		buf_str(&out, "\r\n");
		lf_text = span_from(lf_text, n + 1);
	}
	buf_add(&out, lf_text);
	return buf_span(&out);
}

/* Do new texts of LIST get other line ends than they have? */
static bool
ends_differ(struct arena *arena, const struct replacement *list, size_t n,
    bool crlf)
{
	for (size_t i = 0; i < n; i++) {
		struct span text = list[i].new_text;

		(void)with_lf(arena, &text); /* find_spots has tried it */
		if (crlf)
			text = with_crlf(arena, text, lines_count(text));
		if (!span_eq(text, list[i].new_text))
			return true;
	}
	return false;
}

/* Room for the lines of the new text. */
static size_t
lines_room(struct span text, const struct spot *spots, size_t n)
{
	size_t room = (size_t)lines_count(text);

	for (size_t i = 0; i < n; i++)
		room += (size_t)lines_count(spots[i].new_text);
	return room;
}

/* Replace what stands at SPOTS of TEXT. */
static struct writer
write_text(struct arena *arena, struct span text, const struct spot *spots,
    size_t n)
{
	struct writer w = {.old_text = text, .line = 1};
	size_t at = 0;

	w.out = buf_new(arena, text.n);
	w.origins = arena_array(arena, lines_room(text, spots, n),
	    sizeof(*w.origins));
	w.places = arena_array(arena, n, sizeof(*w.places));
	for (size_t i = 0; i < n; i++) {
		keep(&w, at, spots[i].begin);
		replace(&w, &spots[i]);
		at = spots[i].end;
	}
	keep(&w, at, text.n);
	end_line(&w);
	return w;
}

/*
 * Which lines of TEXT end otherwise than line 1, which has CRLF or not?  They get
 * its line ends.  NULL if there are none.
 */
static const bool *
find_odd_ends(struct arena *arena, struct span text, bool crlf)
{
	struct span rest = text;
	bool *odd = NULL;
	const char *lf;

	for (size_t i = 0; (lf = memchr(rest.p, '\n', rest.n)) != NULL; i++) {
		if ((lf > rest.p && lf[-1] == '\r') != crlf) {
			if (odd == NULL)
				odd = arena_array(arena,
				    (size_t)lines_count(text), sizeof(*odd));
			odd[i] = true;
		}
		rest = span_from(rest, (size_t)(lf - rest.p) + 1);
	}
	return odd;
}

/* What is made of ODD lines is lost: nobody is told that they end otherwise. */
static void
lose_odd_ends(struct writer *w, const bool *odd)
{
	for (uint64_t i = 0; odd != NULL && i <= w->at; i++) {
		struct line_origin *origin = &w->origins[i];

		origin->lost |= origin->line > 0 && odd[origin->line - 1];
		origin->lost |= origin->also > 0 && odd[origin->also - 1];
	}
}

/* Is it more work than is tried here? */
static bool
too_much(struct span text, const struct replacement *list, size_t n)
{
	/* Old texts do not overlap, but they may have CRLF where TEXT has LF. */
	size_t old_left = 2 * text.n, new_left = REPLACE_MAX_BYTES;

	if (text.n > REPLACE_MAX_BYTES || n == 0 || n > REPLACE_MAX ||
	    text.n > WORK_MAX / n)
		return true;
	for (size_t i = 0; i < n; i++) {
		if (list[i].old_text.n > old_left ||
		    list[i].new_text.n > new_left)
			return true;
		old_left -= list[i].old_text.n;
		new_left -= list[i].new_text.n;
	}
	return false;
}

/* What it costs to look through TEXT and to note its lines. */
static uint64_t
cost_of(struct span text)
{
	return text.n / 512 + lines_count(text) / 16 + fuzzy_bytes(text) / 32;
}

uint64_t
replace_cost(struct span text, const struct replacement *list, size_t n)
{
	uint64_t cost;

	if (too_much(text, list, n))
		return 1;
	/* Each old text is looked for all the way, and once more. */
	cost = cost_of(text) + n * (text.n / 1024 + 1);
	for (size_t i = 0; i < n; i++)
		cost += cost_of(list[i].old_text) +
		    cost_of(list[i].new_text);
	return cost;
}

bool
replace_apply(struct arena *arena, struct span text,
    const struct replacement *list, size_t n, struct replaced *out)
{
	bool crlf, marked = span_starts(text, MARK);
	const bool *odd;
	struct spot *spots;
	struct writer w;

	if (too_much(text, list, n) || !utf8_valid(text))
		return false;
	if (marked)
		text = span_from(text, MARK.n);
	crlf = has_crlf(text);
	odd = find_odd_ends(arena, text, crlf);
	spots = arena_array(arena, n, sizeof(*spots));
	if (!with_lf(arena, &text) ||
	    !find_spots(arena, text, list, n, spots))
		return false;
	w = write_text(arena, text, spots, n);
	if (span_eq(buf_span(&w.out), text))
		return false;
	lose_odd_ends(&w, odd);
	*out = (struct replaced){.text = buf_span(&w.out),
	    .origins = w.origins,
	    .lines = w.at + 1,
	    .places = w.places,
	    .cut_end = w.cut,
	    .ends = ends_differ(arena, list, n, crlf)};
	if (crlf)
		out->text = with_crlf(arena, out->text, out->lines);
	if (marked) {
		struct buf all = buf_new(arena, MARK.n + out->text.n);

		buf_add(&all, MARK);
		buf_add(&all, out->text);
		out->text = buf_span(&all);
	}
	return true;
}
