#include "diff/apply.h"

#include "base/buf.h"
#include "base/scope.h"

/* What is left of a text, and the number of its next line. */
struct cursor {
	struct span rest;
	uint64_t line;
};

/* Take one line with its LF, if it has one. */
static struct span
take_line(struct span *rest)
{
	const char *lf = memchr(rest->p, '\n', rest->n);
	size_t n = lf != NULL ? (size_t)(lf - rest->p) + 1 : rest->n;
	struct span line = {rest->p, n};

	*rest = span_from(*rest, n);
	return line;
}

/* The next line of CURSOR must be TEXT. */
static bool
expect(struct cursor *cursor, struct span text)
{
	if (cursor->rest.n == 0 || !span_eq(take_line(&cursor->rest), text))
		return false;
	cursor->line++;
	return true;
}

/* The new side: a text to compare with, or one that is being written. */
struct side {
	struct cursor text;
	struct buf *out; /* NULL: compare with text */
};

static bool
put(struct side *side, struct span line)
{
	if (side->out == NULL)
		return expect(&side->text, line);
	/*
	 * A line has at least one byte, its LF.  Nothing can follow a line
	 * without LF.
	 */
	if (line.n == 0 ||
	    (side->out->n > 0 && side->out->p[side->out->n - 1] != '\n'))
		return false;
	buf_add(side->out, line);
	side->text.line++;
	return true;
}

/*
 * Copy lines from OLD_TEXT to NEW_TEXT up to line FIRST; there both must be
 * equal.
 */
static bool
copy_until(struct cursor *old_text, struct side *new_text, uint64_t first)
{
	while (old_text->line < first) {
		if (old_text->rest.n == 0)
			return false;
		old_text->line++;
		if (!put(new_text, take_line(&old_text->rest)))
			return false;
	}
	return old_text->line == first;
}

/* Read "12,3" or "12" up to END, and go past END. */
static bool
take_pair(struct span *s, char end, uint64_t *first, uint64_t *count)
{
	const char *stop = memchr(s->p, end, s->n);
	struct span pair;
	const char *comma;
	size_t n;

	if (stop == NULL)
		return false;
	pair = (struct span){s->p, (size_t)(stop - s->p)};
	*s = span_from(*s, pair.n + 1);
	*count = 1;
	comma = memchr(pair.p, ',', pair.n);
	if (comma == NULL)
		return number_parse(pair, first);
	n = (size_t)(comma - pair.p);
	return number_parse((struct span){pair.p, n}, first) &&
	    number_parse(span_from(pair, n + 1), count);
}

struct hunk {
	uint64_t old_first, old_count, new_first, new_count;
};

static bool
take_header(struct span *hunks, struct hunk *hunk)
{
	struct span line = take_line(hunks);

	if (!span_starts(line, SPAN("@@ -")))
		return false;
	line = span_from(line, 4);
	if (!take_pair(&line, ' ', &hunk->old_first, &hunk->old_count) ||
	    line.n == 0 || line.p[0] != '+')
		return false;
	line = span_from(line, 1);
	if (!take_pair(&line, ' ', &hunk->new_first, &hunk->new_count) ||
	    !span_starts(line, SPAN("@@")))
		return false;
	/* For an empty side the header has the number of the line before it. */
	hunk->old_first += hunk->old_count == 0;
	hunk->new_first += hunk->new_count == 0;
	return true;
}

/* One line of a hunk's body; without LF if the next line says so. */
static struct span
take_body_line(struct span *hunks)
{
	struct span line = take_line(hunks);

	if (span_starts(*hunks, SPAN("\\"))) {
		(void)take_line(hunks);
		line.n--;
	}
	return line;
}

static bool
apply_hunk(struct span *hunks, struct hunk hunk, struct cursor *old_text,
    struct side *new_text)
{
	while (hunk.old_count > 0 || hunk.new_count > 0) {
		struct span line = take_body_line(hunks);
		bool old_side, new_side;

		if (line.n == 0)
			return false;
		old_side = line.p[0] == ' ' || line.p[0] == '-';
		new_side = line.p[0] == ' ' || line.p[0] == '+';
		line = span_from(line, 1);
		if (!old_side && !new_side)
			return false;
		if (old_side &&
		    (hunk.old_count-- == 0 || !expect(old_text, line)))
			return false;
		if (new_side &&
		    (hunk.new_count-- == 0 || !put(new_text, line)))
			return false;
	}
	return true;
}

static bool
apply_all(struct span hunks, struct cursor *old_text, struct side *new_text)
{
	struct hunk hunk;

	while (hunks.n > 0) {
		if (!take_header(&hunks, &hunk) ||
		    !copy_until(old_text, new_text, hunk.old_first) ||
		    new_text->text.line != hunk.new_first ||
		    !apply_hunk(&hunks, hunk, old_text, new_text))
			return false;
	}
	return true;
}

bool
diff_applies(struct span hunks, struct span old_text, struct span new_text)
{
	struct cursor from = {old_text, 1};
	struct side to = {.text = {new_text, 1}};

	return apply_all(hunks, &from, &to) &&
	    span_eq(from.rest, to.text.rest);
}

bool
diff_apply(struct arena *arena, struct span hunks, struct span old_text,
    struct span *new_text)
{
	struct buf out = buf_new(arena, old_text.n + hunks.n);
	struct cursor from = {old_text, 1};
	struct side to = {.text = {SPAN(""), 1}, .out = &out};

	if (!apply_all(hunks, &from, &to) ||
	    (from.rest.n > 0 && !put(&to, from.rest)))
		return false;
	*new_text = buf_span(&out);
	return true;
}

struct diff_rows
diff_rows(struct span hunks)
{
	return (struct diff_rows){.rest = hunks};
}

/* Read the header of the next hunk that has lines.  False at the end. */
static bool
next_hunk(struct diff_rows *rows)
{
	struct hunk hunk = {0};

	while (rows->rest.n > 0 && hunk.old_count == 0 && hunk.new_count == 0)
		if (!take_header(&rows->rest, &hunk)) {
			rows->broken = true;
			return false;
		}
	rows->old_line = hunk.old_first;
	rows->new_line = hunk.new_first;
	rows->old_left = hunk.old_count;
	rows->new_left = hunk.new_count;
	return hunk.old_count > 0 || hunk.new_count > 0;
}

bool
diff_next_row(struct diff_rows *rows, struct diff_row *row)
{
	bool old_side, new_side;
	struct span line;

	if (rows->old_left == 0 && rows->new_left == 0 && !next_hunk(rows))
		return false;
	line = take_body_line(&rows->rest);
	old_side = line.n > 0 && (line.p[0] == ' ' || line.p[0] == '-');
	new_side = line.n > 0 && (line.p[0] == ' ' || line.p[0] == '+');
	if ((!old_side && !new_side) || (old_side && rows->old_left == 0) ||
	    (new_side && rows->new_left == 0)) {
		rows->broken = true;
		return false;
	}
	*row = (struct diff_row){line.p[0], rows->old_line, rows->new_line,
	    span_from(line, 1)};
	if (row->text.n > 0 && row->text.p[row->text.n - 1] == '\n')
		row->text.n--;
	rows->old_line += old_side;
	rows->old_left -= old_side;
	rows->new_line += new_side;
	rows->new_left -= new_side;
	return true;
}

bool
diff_sound(struct span hunks)
{
	struct diff_rows rows = diff_rows(hunks);
	struct diff_row row;
	bool any = false;

	while (diff_next_row(&rows, &row))
		any = true;
	return any && !rows.broken;
}
