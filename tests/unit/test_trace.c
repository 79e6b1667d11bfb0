/*
 * The trace itself: where the reader has each line, and by what it is proven.
 */
#include "unit.h"

#include "answer/trace.h"
#include "diff/useful.h"

/* ---- a reader, and the versions of one file ---- */

enum { KEPT_MAX = 128 };

struct kept {
	struct span text;
	struct digest hash;
	struct piece piece; /* what the library has of it */
	bool gone;
};

struct world {
	struct arena *arena;
	struct trust *trust;
	struct span path, name; /* of what is seen and changed */
	struct kept kept[KEPT_MAX];
	size_t n;
	uint8_t texts;	  /* the answers that were given, by their numbers */
	bool nameless;	  /* they have no textHash */
	struct piece now; /* what is at hand of the file; text.p NULL: all */
	uint64_t max_lines;
};

static struct world
world_begin(struct arena *arena)
{
	return (struct world){
	    .arena = arena,
	    .trust = trust_new(arena),
	    .path = SPAN("/w/a"),
	    .name = SPAN("/w/link"),
	    .max_lines = DIFF_MAX_LINES,
	};
}

static struct kept *
keep(struct world *w, struct span text)
{
	struct digest hash = digest_of(text);

	for (size_t i = 0; i < w->n; i++)
		if (digest_eq(&w->kept[i].hash, &hash))
			return &w->kept[i];
	assert_true(w->n < KEPT_MAX);
	w->kept[w->n] = (struct kept){text, hash, {text, 1}, false};
	return &w->kept[w->n++];
}

static bool
find_kept(void *context, const struct digest *hash, struct piece *piece)
{
	const struct world *w = context;

	for (size_t i = 0; i < w->n; i++) {
		if (!digest_eq(&w->kept[i].hash, hash))
			continue;
		*piece = w->kept[i].piece;
		return !w->kept[i].gone;
	}
	return false;
}

/* The event of a read of lines FIRST to LAST; LAST 0: to the end. */
static struct event
view_of(struct world *w, const char *bytes, uint64_t first, uint64_t last)
{
	struct span text = span_str(bytes);
	uint64_t total = lines_count(text);
	struct event event = {
	    .kind = EVENT_READ,
	    .path = w->path,
	    .name = w->name,
	    .mode = MODE_FULL,
	    .served = keep(w, text)->hash,
	    .total = total,
	    .has_text_id = !w->nameless,
	    .sealed = true,
	};

	if (last == 0)
		last = total;
	event.scope = first == 1 && last == total ? scope_full()
						  : scope_range(first, last);
	event.text_id.bytes[0] = ++w->texts;
	return event;
}

static void
see(struct world *w, const char *text, uint64_t first, uint64_t last)
{
	struct event event = view_of(w, text, first, last);

	(void)trust_apply(w->trust, &event);
}

/* A view that proves nothing. */
static void
sight(struct world *w, const char *text, uint64_t first, uint64_t last)
{
	struct event event = view_of(w, text, first, last);

	event.kind = EVENT_SIGHTING;
	(void)trust_apply(w->trust, &event);
}

static void
change(struct world *w, struct own_change how)
{
	struct own_change *own = arena_alloc(w->arena, sizeof(*own));

	*own = how;
	(void)trust_apply(w->trust, &(struct event){.kind = EVENT_EDITED,
					.path = w->path,
					.name = w->name,
					.own = own});
}

static void
edit(struct world *w, const char *id, const char *from, const char *to)
{
	struct replacement *one = arena_alloc(w->arena, sizeof(*one));

	*one = (struct replacement){span_str(from), span_str(to)};
	change(w, (struct own_change){.kind = OWN_EDITS,
		      .call_id = span_str(id),
		      .list = one,
		      .n = 1});
}

static void
write_all(struct world *w, const char *id, const char *content)
{
	change(w, (struct own_change){.kind = OWN_WRITE,
		      .call_id = span_str(id),
		      .content = span_str(content)});
}

static void
refresh(struct world *w, struct scope scope)
{
	(void)trust_apply(w->trust,
	    &(struct event){
		.kind = EVENT_INVALIDATE, .path = w->path, .scope = scope});
}

/* ---- what was found, in words ---- */

static void
say_line(struct buf *out, struct span now, const struct trace *trace,
    uint64_t i, uint64_t number)
{
	const struct traced_line *line = &trace->lines[i];
	struct span here, there;

	if (line->cut)
		buf_char(out, '-');
	switch (line->kind) {
	case TRACE_TEXT:
		buf_char(out, '.');
		break;
	case TRACE_OWN:
		buf_char(out, line->edited ? 'e' : 'w');
		if (line->former == 0)
			break;
		/* Others have moved it. */
		buf_u64(out, line->former);
		assert_true(lines_slice(now, number, number, &here));
		assert_true(lines_slice(trace->made->piece.text, line->former,
		    line->former, &there));
		ASSERT_SPAN(there, here);
		break;
	case TRACE_SHOWN:
		if (line->vague)
			buf_char(out, '~');
		buf_u64(out, line->former);
		/* Whatever it says must be so. */
		assert_true(lines_slice(now, number, number, &here));
		assert_true(lines_slice(line->from->piece.text,
		    line->former - line->from->piece.first + 1,
		    line->former - line->from->piece.first + 1, &there));
		ASSERT_SPAN(there, here);
		break;
	}
	buf_char(out, ' ');
}

static void
say_facts(const struct world *w, struct buf *out, const struct trace *trace,
    const struct digest *now)
{
	buf_char(out, '|');
	for (size_t i = 0; i < trace->ncalls; i++) {
		buf_char(out, ' ');
		buf_add(out, trace->calls[i]);
	}
	buf_str(out, " |");
	for (size_t i = 0; i < trace->rests.n; i++) {
		buf_char(out, ' ');
		buf_u64(out, trace->rests.ids[i].bytes[0]);
	}
	buf_str(out, " | ");
	if (digest_eq(&trace->base, now))
		buf_str(out, "now");
	for (size_t i = 0; i < w->n; i++)
		if (digest_eq(&trace->base, &w->kept[i].hash) &&
		    !digest_eq(&trace->base, now))
			buf_u64(out, i + 1);
	if (trace->others)
		buf_str(out, " others");
	if (trace->written)
		buf_str(out, " written");
	if (trace->cut_end)
		buf_str(out, " end");
	if (trace->undone)
		buf_str(out, " undone");
}

/*
 * Follow lines FIRST to LAST (0: to the end) of the file, which has these BYTES
 * now.  For each line its former number, "e" if the reader made it by an edit,
 * "w" if it wrote it, "." if it has to be sent, with "-" before it if lines
 * were removed there; then the calls, the texts and the base that it rests on.
 */
static struct span
follow(struct world *w, const char *bytes, uint64_t first, uint64_t last)
{
	struct span text = span_str(bytes);
	uint64_t total = lines_count(text);
	struct excerpt shown = {
	    .first = first, .last = last > 0 ? last : total, .total = total};
	struct question q = {
	    .path = SPAN("/w/a"),
	    .name = SPAN("/w/link"),
	    .hash = digest_of(text),
	    .shown = &shown,
	    .now = w->now.text.p != NULL ? w->now : (struct piece){text, 1},
	    .diff_max_bytes = DIFF_MAX_BYTES,
	    .diff_max_lines = w->max_lines,
	};
	struct library library = {find_kept, w};
	struct scale s = {
	    .arena = w->arena,
	    .asked = &q,
	    .trust = w->trust,
	    .library = &library,
	    .now = {.there = true, .piece = q.now},
	};
	struct buf out = buf_new(w->arena, 256);
	struct trace trace;
	bool found = trace_make(&s, &trace), whole = true, any = false;

	assert_int_equal(trace.n, shown.last - first + 1);
	for (uint64_t i = 0; i < trace.n; i++) {
		whole = whole && trace.lines[i].kind != TRACE_TEXT;
		any = any || trace.lines[i].kind != TRACE_TEXT;
		say_line(&out, text, &trace, i, first + i);
	}
	assert_int_equal(trace.whole, whole);
	assert_int_equal(found, any && !trace.rests.untold);
	if (!any)
		return SPAN("none");
	say_facts(w, &out, &trace, &q.hash);
	if (trace.rests.untold)
		buf_str(&out, " untold");
	return buf_span(&out);
}

#define FOLLOW(w, text, first, last, words)                                    \
	ASSERT_TEXT(follow(w, text, first, last), words)

#define EIGHT "a\nb\nc\nd\ne\nf\ng\nh"
#define TWELVE EIGHT "\ni\nj\nk\nl"

/* ---- lines that were shown ---- */

static void
lines_of_one_version(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, EIGHT, 1, 2);
	see(&w, EIGHT, 5, 6);
	FOLLOW(&w, EIGHT, 1, 0, "1 2 . . 5 6 . . | | 2 1 | now");
	FOLLOW(&w, EIGHT, 2, 2, "2 | | 1 | now");
	FOLLOW(&w, EIGHT, 3, 4, "none");
	FOLLOW(&w, EIGHT, 6, 7, "6 . | | 2 | now");
	FOLLOW(&w, EIGHT, 4, 5, ". 5 | | 2 | now");
}

static void
lines_that_others_moved(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, TWELVE, 1, 0);
	FOLLOW(&w, "x\n" TWELVE, 1, 0,
	    ". 1 2 3 4 5 6 7 8 9 10 11 12 | | 1 | 1 others");
	FOLLOW(&w, "b\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl", 1, 0,
	    "2 3 4 5 6 7 8 9 10 11 12 | | 1 | 1 others");
	/* Two places, in two hunks. */
	FOLLOW(&w, "a\nx\ny\nc\nd\ne\nf\ng\nh\ni\nj\nl", 1, 0,
	    "1 . . 3 4 5 6 7 8 9 10 12 | | 1 | 1 others");
	FOLLOW(&w, "a\nB\nc\nd\ne\nf\ng\nh\ni\nj\nK\nl", 9, 12,
	    "9 10 . 12 | | 1 | 1 others");
	/* The last line had no line end. */
	FOLLOW(&w, TWELVE "\nx", 11, 13, "11 . . | | 1 | 1 others");
	FOLLOW(&w, "a\nb\nc\n", 1, 0, "1 2 3 . | | 1 | 1 others");
	FOLLOW(&w, "x\ny\nz", 1, 0, "none");
	/* One line, and three of the same text. */
	w = world_begin(arena);
	see(&w, "a\n}\n", 1, 0);
	FOLLOW(&w, "a\nX\n}\n}\n", 1, 0, "1 . . 2 3 | | 1 | 1 others");
}

/* The text of a line is the same with its CR only. */
static void
line_ends(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, "a\r\nb\r\nc\n", 1, 0);
	FOLLOW(&w, "x\r\na\r\nb\nc\r\n", 1, 0, ". 1 . . 4 | | 1 | 1 others");
	FOLLOW(&w, "a\r\nb\r\nc", 1, 0, "1 2 . | | 1 | 1 others");
	w = world_begin(arena);
	see(&w, "a\nb", 1, 0);
	FOLLOW(&w, "a\nb\n", 1, 0, "1 . . | | 1 | 1 others");
	FOLLOW(&w, "a\nb\n\n", 1, 0, "1 . . . | | 1 | 1 others");
	w = world_begin(arena);
	see(&w, "a\nb\n\n", 1, 0);
	FOLLOW(&w, "a\nb\n", 1, 0, "1 2 4 | | 1 | 1 others");
	FOLLOW(&w, "x\na\nb\n\n", 1, 0, ". 1 2 3 4 | | 1 | 1 others");
	w = world_begin(arena);
	see(&w, "", 1, 0);
	FOLLOW(&w, "", 1, 0, "1 | | 1 | now");
	FOLLOW(&w, "a\n", 1, 0, ". 1 | | 1 | 1 others");
}

/* A line has the number of the newest answer that showed it. */
static void
the_newest_view_counts(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, EIGHT, 1, 0);
	see(&w, "x\n" EIGHT, 4, 5);
	FOLLOW(
	    &w, "y\nx\n" EIGHT, 1, 0, ". . 1 2 4 5 . 6 7 8 | | 2 1 | 2 others");
	/* A view of which nothing is used is not rested on. */
	FOLLOW(&w, "y\nx\n" EIGHT, 8, 10, "6 7 8 | | 1 | 1 others");
}

/* ---- a number that means two lines ---- */

static void
numbers_that_were_shown_since(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, TWELVE, 1, 0);
	see(&w, "1\n2\n3\n4\n5\n" TWELVE, 6, 8);
	/* a, b, c were shown as 6 to 8, and so f, g, h were not only. */
	FOLLOW(&w, "1\n2\n3\n4\n5\n" TWELVE, 6, 0,
	    "6 7 8 4 5 . . . 9 10 11 12 | | 2 1 | now others");
	/* Where it was shown before that does not help. */
	w = world_begin(arena);
	see(&w, "10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n" TWELVE, 1, 0);
	see(&w, TWELVE, 1, 8);
	see(&w, "1\n2\n3\n4\n5\n" TWELVE, 6, 8);
	FOLLOW(&w, "1\n2\n3\n4\n5\n" TWELVE, 6, 0,
	    "6 7 8 4 5 . . . 19 20 21 22 | | 3 2 1 | now others");
	/* The same line under it does no harm. */
	w = world_begin(arena);
	see(&w, "a\nb\nc\nd\n}\nf\ng\nh", 1, 0);
	see(&w, "1\n2\n3\n4\n}\n6\na\nb\nc\nd\n}\nf\ng\nh", 4, 6);
	FOLLOW(&w, "1\n2\n3\n4\n}\n6\na\nb\nc\nd\n}\nf\ng\nh", 10, 0,
	    ". 5 . 7 8 | | 1 | 1 others");
}

/* Who was shown the end of the file knows that it has no such line. */
static void
numbers_behind_the_end(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, "1\n2\n3\n4\n5\na\nb\nc\nd", 1, 0);
	see(&w, "a\nb\nc\nd", 4, 4);
	FOLLOW(&w, "a\nb\nc\nd", 1, 0, ". . . 4 | | 2 | now others");
	w = world_begin(arena);
	see(&w, "1\n2\n3\n4\n5\na\nb\nc\nd", 1, 0);
	see(&w, "a\nb\nc\nd", 3, 3);
	FOLLOW(&w, "a\nb\nc\nd", 1, 0, "6 7 3 9 | | 2 1 | now others");
	/* The last line itself may be the same. */
	w = world_begin(arena);
	see(&w, "p\nq\n}\na", 1, 0);
	see(&w, "}\na\n}", 3, 3);
	FOLLOW(&w, "}\na\n}", 1, 0, "3 . 3 | | 2 1 | now others");
	w = world_begin(arena);
	see(&w, "p\nq\n}\na", 1, 0);
	see(&w, "}\na\nz", 3, 3);
	FOLLOW(&w, "}\na\nz", 1, 0, ". . 3 | | 2 | now others");
	/* Lines before those that it showed are not meant. */
	w = world_begin(arena);
	see(&w, "a\nb\nc\nd", 1, 0);
	see(&w, "1\n2\na\nb\nc\nd", 5, 6);
	FOLLOW(&w, "1\n2\na\nb\nc\nd", 3, 0, "1 2 5 6 | | 2 1 | now others");
}

/* What proves nothing was seen as well. */
static void
numbers_by_another_name(struct arena *arena)
{
	struct world w = world_begin(arena);
	struct span name = w.name;

	see(&w, EIGHT, 1, 0);
	w.name = SPAN("/w/other");
	see(&w, "1\n2\n" EIGHT, 1, 4);
	w.name = name;
	FOLLOW(&w, "1\n2\n" EIGHT, 3, 0, ". . . . 5 6 7 8 | | 1 | 1 others");
}

/* Of a version that is there in part, nobody knows what was shown. */
static void
numbers_of_lines_that_are_gone(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, EIGHT, 1, 0);
	see(&w, "1\n2\n3\n" EIGHT, 4, 6);
	see(&w, "1\n2\n3\n4\n" EIGHT, 1, 1);
	FOLLOW(&w, "1\n2\n3\n4\n" EIGHT, 5, 0,
	    "4 5 6 . . . 7 8 | | 2 1 | 2 others");
	keep(&w, span_str("1\n2\n3\n" EIGHT))->piece =
	    (struct piece){SPAN("a\nb\n"
				"c\nd\ne\nf\ng\nh"),
		4};
	FOLLOW(&w, "1\n2\n3\n4\n" EIGHT, 5, 0,
	    "4 5 6 . . . 7 8 | | 2 1 | 2 others");
	keep(&w, span_str("1\n2\n3\n" EIGHT))->piece =
	    (struct piece){SPAN("c\nd\ne\nf\ng\nh"), 6};
	FOLLOW(&w, "1\n2\n3\n4\n" EIGHT, 5, 0,
	    ". . 6 . . . 7 8 | | 2 1 | 2 others");
}

/* ---- the reader's own edits ---- */

/* pi changes all line ends to the first kind: these are other lines then. */
static void
edits_of_mixed_line_ends(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, "a\r\nb1\nc\n", 1, 0);
	edit(&w, "e1", "a", "A");
	FOLLOW(&w, "A\r\nb1\r\nc\r\n", 1, 0, "e . . 4 | e1 | 1 | 1");
	see(&w, "A\r\nb1\r\nc\r\n", 3, 3);
	edit(&w, "e2", "b", "B");
	FOLLOW(&w, "A\r\nB1\r\nc\r\n", 1, 0,
	    "e . 3 4 | e1 e2 | 2 1 | 2");
	/* Two in a row: the second one is in a line that got its end before. */
	w = world_begin(arena);
	see(&w, "a\r\nb1\nc\n", 1, 0);
	edit(&w, "e1", "a", "A");
	edit(&w, "e2", "b", "B");
	FOLLOW(&w, "A\r\nB1\r\nc\r\n", 1, 0,
	    "e . . 4 | e1 e2 | 1 | 1");
	/* All of one kind. */
	w = world_begin(arena);
	see(&w, "a\r\nb1\r\nc\r\n", 1, 0);
	edit(&w, "e1", "a\nb", "A\nB");
	FOLLOW(&w, "A\r\nB1\r\nc\r\n", 1, 0, "e e 3 4 | e1 | 1 | 1");
}

static void
whole_lines_of_an_edit(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "c\n", "C\nD\n");
	FOLLOW(&w, "a\nb\nC\nD\nd\ne\nf\ng\nh", 1, 0,
	    "1 2 e e 4 5 6 7 8 | e1 | 1 | 1");
	FOLLOW(&w, "a\nb\nC\nD\nd\ne\nf\ng\nh", 3, 4, "e e | e1 | 1 | 1");
	/* It rests on what showed the place, too. */
	FOLLOW(&w, "a\nb\nC\nD\nd\ne\nf\ng\nh", 4, 4, "e | e1 | 1 | 1");
	/* Somebody has changed it, too. */
	FOLLOW(&w, "a\nb\nC\nD\nd\ne\nf\ng\nh\n", 1, 0,
	    "1 2 e e 4 5 6 7 . . | e1 | 1 | 1 others");
	FOLLOW(&w, "a\nb\nC\nD\nd\ne\nf\ng\nX", 1, 0,
	    "1 2 e e 4 5 6 7 . | e1 | 1 | 1 others");
}

static void
an_edit_that_cannot_be(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "zzz\n", "C\n");
	FOLLOW(&w, EIGHT, 1, 0, "none");
	FOLLOW(&w, "x\n" EIGHT, 1, 0, "none");
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "a\n", "A\n");
	edit(&w, "e2", "a\n", "AA\n");
	FOLLOW(&w, "A\nb\nc\nd\ne\nf\ng\nh", 1, 0, "none");
}

/* Of a line that was changed in part, the rest must be known. */
static void
parts_of_a_line(struct arena *arena)
{
	struct world w = world_begin(arena);
	const char *file = "one a\ntwo B\nthree c\nfour d";

	see(&w, "one a\ntwo b\nthree c\nfour d", 2, 3);
	edit(&w, "e1", "b", "B");
	FOLLOW(&w, file, 1, 0, ". e 3 . | e1 | 1 | 1");
	FOLLOW(&w, file, 2, 2, "e | e1 | 1 | 1");
	w = world_begin(arena);
	see(&w, "one a\ntwo b\nthree c\nfour d", 3, 4);
	edit(&w, "e1", "b", "B");
	FOLLOW(&w, file, 1, 0, ". . 3 4 | e1 | 1 | 1");
	/* Two views, two edits, and nobody else. */
	w = world_begin(arena);
	see(&w, "one a\ntwo b\nthree c\nfour d", 1, 2);
	edit(&w, "e1", "b", "B");
	see(&w, file, 4, 4);
	edit(&w, "e2", "wo", "WO");
	FOLLOW(&w, "one a\ntWO B\nthree c\nfour d", 1, 0,
	    "1 e . 4 | e1 e2 | 2 1 | 2");
}

/* A line made of two, of which nothing is left, at whose ends it begins. */
static void
two_lines_become_one(struct arena *arena)
{
	static const struct {
		uint64_t first, last;
		const char *words;
	} rows[] = {
	    {1, 0, "1 e 4 5 | e1 | 1 | 1"},
	    {2, 3, ". e . . | e1 | 1 | 1"},
	    {1, 2, "1 . . . | e1 | 1 | 1"},
	    {3, 5, ". . 4 5 | e1 | 1 | 1"},
	};
	struct world w;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		/* Nothing is left of b and c. */
		w = world_begin(arena);
		see(&w, "a\nb\nc\nd\ne", rows[i].first, rows[i].last);
		edit(&w, "e1", "b\nc", "X");
		FOLLOW(&w, "a\nX\nd\ne", 1, 0, rows[i].words);
		/* A piece of the second one is. */
		w = world_begin(arena);
		see(&w, "a\nb\nc1c2\nd\ne", rows[i].first, rows[i].last);
		edit(&w, "e1", "b\nc1", "X");
		FOLLOW(&w, "a\nXc2\nd\ne", 1, 0, rows[i].words);
		/* A piece of the first one is. */
		w = world_begin(arena);
		see(&w, "a\nb1b2\nc\nd\ne", rows[i].first, rows[i].last);
		edit(&w, "e1", "b2\nc", "X");
		FOLLOW(&w, "a\nb1X\nd\ne", 1, 0, rows[i].words);
	}
	/* Both must be in one answer. */
	w = world_begin(arena);
	see(&w, "a\nb\nc\nd\ne", 1, 2);
	see(&w, "a\nb\nc\nd\ne", 3, 5);
	edit(&w, "e1", "b\nc", "X");
	FOLLOW(&w, "a\nX\nd\ne", 1, 0, "1 . 4 5 | e1 | 2 1 | 1");
	/* Pieces of both are left: nobody can say of which line it is. */
	w = world_begin(arena);
	see(&w, "a\nb1b2\nc1c2\nd\ne", 1, 0);
	edit(&w, "e1", "b2\nc1", "X");
	FOLLOW(&w, "a\nb1Xc2\nd\ne", 1, 0, "1 . 4 5 | e1 | 1 | 1");
}

/* What is said of two lines holds for the version before it only. */
static void
two_lines_and_another_change(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, "a\nb\nc\nd\ne", 1, 0);
	see(&w, "a\nb\nc\nd\nE", 5, 5);
	edit(&w, "e1", "b\nc", "X");
	FOLLOW(&w, "a\nX\nd\nE", 1, 0, "1 . 4 5 | e1 | 2 1 | 2 others");
	w = world_begin(arena);
	see(&w, "a\nb\nc\nd\ne", 1, 0);
	see(&w, "a\nb\nc\nd\nE", 5, 5);
	edit(&w, "e1", "b", "X");
	FOLLOW(&w, "a\nX\nc\nd\nE", 1, 0, "1 e 3 4 5 | e1 | 2 1 | 2 others");
	/* The rest of it must be what was shown. */
	w = world_begin(arena);
	see(&w, "a\nb y\nc\nd\ne", 1, 0);
	see(&w, "a\nb z\nc\nd\nE", 5, 5);
	edit(&w, "e1", "b", "X");
	FOLLOW(&w, "a\nX z\nc\nd\nE", 1, 0, "1 . 3 4 5 | e1 | 2 1 | 2 others");
}

/* ---- removals ---- */

static void
removals(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "c\nd\n", "");
	FOLLOW(&w, "a\nb\ne\nf\ng\nh", 1, 0, "1 2 -5 6 7 8 | e1 | 1 | 1");
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "\ng\nh", "");
	FOLLOW(&w, "a\nb\nc\nd\ne\nf", 1, 0, "1 2 3 4 5 6 | e1 | 1 | 1 end");
	/* Of two edits with a view between them, both. */
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "c\n", "");
	see(&w, "a\nb\nd\ne\nf\ng\nh", 7, 7);
	edit(&w, "e2", "d\n", "");
	FOLLOW(&w, "a\nb\ne\nf\ng\nh", 1, 0, "1 2 -5 6 ~7 7 | e1 e2 | 2 1 | 2");
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "\nh", "");
	see(&w, "a\nb\nc\nd\ne\nf\ng", 6, 6);
	edit(&w, "e2", "a\n", "");
	FOLLOW(
	    &w, "b\nc\nd\ne\nf\ng", 1, 0, "-2 3 4 5 6 7 | e1 e2 | 2 1 | 2 end");
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "a\n", "");
	see(&w, "b\nc\nd\ne\nf\ng\nh", 6, 6);
	edit(&w, "e2", "\nh", "");
	FOLLOW(&w, "b\nc\nd\ne\nf\ng", 1, 0,
	    "-2 3 4 5 ~6 6 | e1 e2 | 2 1 | 2 end");
}

/* ---- several edits in a row ---- */

static void
edits_of_several_lines(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, "a1\nb1\nc1\nd1", 1, 0);
	edit(&w, "e1", "b", "B");
	edit(&w, "e2", "c", "C");
	FOLLOW(&w, "a1\nB1\nC1\nd1", 1, 0, "1 e e 4 | e1 e2 | 1 | 1");
	/* The second one in what the first one made. */
	w = world_begin(arena);
	see(&w, "a1\nb1\nc1\nd1", 1, 0);
	edit(&w, "e1", "b1\n", "new\nb1\n");
	edit(&w, "e2", "new\n", "newer\n");
	edit(&w, "e3", "c", "C");
	FOLLOW(
	    &w, "a1\nnewer\nb1\nC1\nd1", 1, 0, "1 e e e 4 | e1 e2 e3 | 1 | 1");
	/* A line that is moved by the first, and changed in part. */
	w = world_begin(arena);
	see(&w, "a1\nb1\nc1\nd1", 3, 3);
	edit(&w, "e1", "a1\n", "a1\nx\ny\n");
	edit(&w, "e2", "c", "C");
	edit(&w, "e3", "d", "D");
	/* But it was not shown where the first one was made. */
	FOLLOW(&w, "a1\nx\ny\nb1\nC1\nD1", 1, 0, "none");
}

static void
removals_and_edits(struct arena *arena)
{
	struct world w = world_begin(arena);

	/* An edit of the line before which lines were removed. */
	see(&w, "a1\nb1\nc1\nd1\ne1", 1, 0);
	edit(&w, "e1", "b1\n", "");
	edit(&w, "e2", "c", "C");
	FOLLOW(&w, "a1\nC1\nd1\ne1", 1, 0, "1 -e 4 5 | e1 e2 | 1 | 1");
	w = world_begin(arena);
	see(&w, "a1\nb1\nc1\nd1\ne1", 1, 0);
	edit(&w, "e1", "c", "C");
	edit(&w, "e2", "b1\n", "");
	FOLLOW(&w, "a1\nC1\nd1\ne1", 1, 0, "1 -e 4 5 | e1 e2 | 1 | 1");
	/* Another line stands in its place now. */
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "c\n", "");
	edit(&w, "e2", "d\n", "D\nDD\n");
	FOLLOW(&w, "a\nb\nD\nDD\ne\nf\ng\nh", 1, 0,
	    "1 2 -e e 5 6 7 8 | e1 e2 | 1 | 1");
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "a\n", "");
	edit(&w, "e2", "b\n", "B\n");
	FOLLOW(
	    &w, "B\nc\nd\ne\nf\ng\nh", 1, 0, "-e 3 4 5 6 7 8 | e1 e2 | 1 | 1");
	/* It was removed elsewhere: not here. */
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "a\n", "");
	edit(&w, "e2", "e\n", "E\n");
	FOLLOW(
	    &w, "b\nc\nd\nE\nf\ng\nh", 1, 0, "-2 3 4 e 6 7 8 | e1 e2 | 1 | 1");
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "e\n", "");
	edit(&w, "e2", "c\n", "C\n");
	FOLLOW(
	    &w, "a\nb\nC\nd\nf\ng\nh", 1, 0, "1 2 e 4 -6 7 8 | e1 e2 | 1 | 1");
	/* New lines before the place are not it. */
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "b\n", "");
	edit(&w, "e2", "a\n", "a\nX\n");
	FOLLOW(&w, "a\nX\nc\nd\ne\nf\ng\nh", 1, 0,
	    "e e -3 4 5 6 7 8 | e1 e2 | 1 | 1");
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "g\n", "");
	edit(&w, "e2", "a\n", "A\n");
	FOLLOW(
	    &w, "A\nb\nc\nd\ne\nf\nh", 1, 0, "e 2 3 4 5 6 -8 | e1 e2 | 1 | 1");
	/* The next line is new, too. */
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "d\n", "");
	edit(&w, "e2", "c\ne\n", "c\nX\nY\n");
	FOLLOW(&w, "a\nb\nc\nX\nY\nf\ng\nh", 1, 0,
	    "1 2 e -e e 6 7 8 | e1 e2 | 1 | 1");
	/* Three lines go, the removal is at the last of them. */
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "d\n", "");
	edit(&w, "e2", "b\nc\ne\n", "X\n");
	FOLLOW(&w, "a\nX\nf\ng\nh", 1, 0, "1 e -6 7 8 | e1 e2 | 1 | 1");
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "b\n", "");
	edit(&w, "e2", "c\nd\ne\n", "X\n");
	FOLLOW(&w, "a\nX\nf\ng\nh", 1, 0, "1 -e 6 7 8 | e1 e2 | 1 | 1");
}

static void
removals_at_the_end(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, "a1\nb1\nc1\nd1", 1, 0);
	edit(&w, "e1", "\nd1", "");
	edit(&w, "e2", "a", "A");
	FOLLOW(&w, "A1\nb1\nc1", 1, 0, "e 2 3 | e1 e2 | 1 | 1 end");
	w = world_begin(arena);
	see(&w, "a1\nb1\nc1\nd1", 1, 0);
	edit(&w, "e1", "a", "A");
	edit(&w, "e2", "\nd1", "");
	FOLLOW(&w, "A1\nb1\nc1", 1, 0, "e 2 3 | e1 e2 | 1 | 1 end");
	/* The line after it is gone with the last ones. */
	w = world_begin(arena);
	see(&w, "a1\nb1\nc1\nd1", 1, 0);
	edit(&w, "e1", "c1\n", "");
	edit(&w, "e2", "b1\nd1", "X");
	FOLLOW(&w, "a1\nX", 1, 0, "1 e | e1 e2 | 1 | 1 end");
	w = world_begin(arena);
	see(&w, "a1\nb1\nc1\nd1", 1, 0);
	edit(&w, "e1", "a", "A");
	edit(&w, "e2", "c1\nd1", "X");
	FOLLOW(&w, "A1\nb1\nX", 1, 0, "e 2 e | e1 e2 | 1 | 1");
}

/* Lines that are made of others, which were made of others before. */
static void
edits_of_joined_lines(struct arena *arena)
{
	struct world w = world_begin(arena);

	/* Lost before, and changed since. */
	see(&w, "a\nb1b2\nc1c2\nd\ne", 1, 0);
	edit(&w, "e1", "b2\nc1", "uv");
	edit(&w, "e2", "u", "w");
	FOLLOW(&w, "a\nb1wvc2\nd\ne", 1, 0, "1 . 4 5 | e1 e2 | 1 | 1");
	/* Lost by the second one. */
	w = world_begin(arena);
	see(&w, "a\nb1b2\nc1c2\nd\ne", 1, 0);
	edit(&w, "e1", "d", "D");
	edit(&w, "e2", "b2\nc1", "X");
	FOLLOW(&w, "a\nb1Xc2\nD\ne", 1, 0, "1 . e 5 | e1 e2 | 1 | 1");
	/* Its other line was lost. */
	w = world_begin(arena);
	see(&w, "a\nb1b2\nc1c2\nd\ne", 1, 0);
	edit(&w, "e1", "b2\nc1", "X");
	edit(&w, "e2", "a\nb1Xc2", "Y");
	FOLLOW(&w, "Y\nd\ne", 1, 0, ". 4 5 | e1 e2 | 1 | 1");
	w = world_begin(arena);
	see(&w, "a\nb\nc1c2\nd\ne", 1, 0);
	edit(&w, "e1", "b\n", "b\nn1n2\n");
	edit(&w, "e2", "n2\nc1", "X");
	FOLLOW(&w, "a\nb\nn1Xc2\nd\ne", 1, 0, "1 e . 4 5 | e1 e2 | 1 | 1");
	edit(&w, "e3", "b\nn1Xc2", "Y");
	FOLLOW(&w, "a\nY\nd\ne", 1, 0, "1 . 4 5 | e1 e2 e3 | 1 | 1");
	/* Its other line has two itself. */
	w = world_begin(arena);
	see(&w, "a\nb\nc\nd\ne", 1, 0);
	edit(&w, "e1", "b\nc", "X");
	edit(&w, "e2", "a\nX", "Y");
	FOLLOW(&w, "Y\nd\ne", 1, 0, ". 4 5 | e1 e2 | 1 | 1");
	/* Its line has two itself, and here is a third one. */
	w = world_begin(arena);
	see(&w, "a\nb\nc\nd\ne", 1, 0);
	edit(&w, "e1", "b\nc", "X");
	edit(&w, "e2", "X\nd", "Y");
	FOLLOW(&w, "a\nY\ne", 1, 0, "1 . 5 | e1 e2 | 1 | 1");
	/* Its other line is one. */
	w = world_begin(arena);
	see(&w, "a\nb\nc\nd\ne", 1, 0);
	edit(&w, "e1", "e", "E");
	edit(&w, "e2", "b\nc", "X");
	FOLLOW(&w, "a\nX\nd\nE", 1, 0, "1 e 4 e | e1 e2 | 1 | 1");
}

/* Both lines must be known under the numbers that they had. */
static void
joined_lines_and_their_numbers(struct arena *arena)
{
	static const struct {
		uint64_t last;
		const char *before, *after;
	} rows[] = {
	    {2, "1 . . . | e1 e2 | 1 | 1", "none"},
	    {3, "1 e . . | e1 e2 | 1 | 1", "e e e . . | e1 e2 | 1 | 1"},
	};
	struct world w;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		w = world_begin(arena);
		see(&w, "a\nb\nc\nd\ne", 1, rows[i].last);
		edit(&w, "e1", "b\nc", "uv");
		edit(&w, "e2", "u", "w");
		FOLLOW(&w, "a\nwv\nd\ne", 1, 0, rows[i].before);
		w = world_begin(arena);
		see(&w, "a\nb\nc\nd\ne", 1, rows[i].last);
		edit(&w, "e1", "a\n", "new\na\n");
		edit(&w, "e2", "b\nc", "X");
		FOLLOW(&w, "new\na\nX\nd\ne", 1, 0, rows[i].after);
	}
	/* The line at which it begins is the reader's own. */
	w = world_begin(arena);
	see(&w, "a\nb\nc\nd", 2, 2);
	edit(&w, "e1", "a\n", "a\nnew\n");
	edit(&w, "e2", "new\nb", "X");
	FOLLOW(&w, "a\nX\nc\nd", 2, 0, "none");
	w = world_begin(arena);
	see(&w, "a\nb\nc\nd", 1, 1);
	edit(&w, "e1", "a\n", "a\nnew\n");
	edit(&w, "e2", "new\nb", "X");
	FOLLOW(&w, "a\nX\nc\nd", 2, 0, "none");
	/* Then it has one line only, which can be followed on. */
	w = world_begin(arena);
	see(&w, "a\nb\nc\nd", 2, 2);
	see(&w, "a\nb\nc\nD", 4, 4);
	edit(&w, "e1", "a\n", "a\nnew\n");
	edit(&w, "e2", "new\nb", "X");
	FOLLOW(&w, "a\nX\nc\nD", 2, 0, ". . 4 | e1 e2 | 2 1 | 2 others");
}

/* A line of which nobody can say what it is made of has no place, either. */
static void
edits_of_a_joined_line(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, "aa\nbb\ncc\ndd\nee\nff\ngg\nhh", 1, 0);
	edit(&w, "e1", "b\nc", "b-c");
	see(&w, "aa\nbb-cc\ndd\nee\nff\ngg\nhh", 7, 7);
	edit(&w, "e2", "-", "+");
	edit(&w, "e3", "ee", "E");
	FOLLOW(&w, "aa\nbb+cc\ndd\nE\nff\ngg\nhh", 1, 0,
	    "1 . 4 . 6 ~7 7 | e1 e2 e3 | 2 1 | 2");
	/* Its two lines must be shown by one answer. */
	w = world_begin(arena);
	see(&w, "aa\nbb\ncc", 2, 3);
	see(&w, "aa\nbb\ncc", 1, 1);
	edit(&w, "e1", "aa\nb", "Z");
	FOLLOW(&w, "Zb\ncc", 1, 0, ". 3 | e1 | 2 1 | 1");
}

/* N lines that say so, and END. */
static const char *
many_lines(struct arena *arena, const char *begin, int from, int to)
{
	struct buf text = buf_new(arena, 1 << 16);

	buf_str(&text, begin);
	for (int i = from; i <= to; i++) {
		buf_u64(&text, (uint64_t)i);
		buf_char(&text, '\n');
	}
	buf_str(&text, "end");
	return arena_cstr(arena, buf_span(&text));
}

/* There are more places than are looked for. */
static void
edits_of_very_many_lines(struct arena *arena)
{
	struct world w = world_begin(arena);
	const char *text = many_lines(arena, "", 1001, 4000);
	const char *then = many_lines(arena, "X\n", 2501, 4000);
	size_t half = 1500 * 5;

	see(&w, text, 1, 0);
	edit(&w, "e1", arena_cstr(arena, (struct span){text, half}), "X\n");
	see(&w, then, 1502, 1502);
	edit(&w, "e2", arena_cstr(arena, (struct span){text + half, half}),
	    "Y\n");
	FOLLOW(&w, "X\nY\nend", 1, 0, ". . 1502 | e1 e2 | 2 1 | 2");
}

/*
 * Somebody has changed the file after the reader did, and no version between
 * the two changes was ever shown.
 */
static void
edits_and_others(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "c\n", "C\nD\n");
	/* Below it, above it, and what it wrote. */
	FOLLOW(&w, "a\nb\nC\nD\nd\ne\nX\ng\nh", 1, 0,
	    "1 2 e e 4 5 . 7 8 | e1 | 1 | 1 others");
	FOLLOW(&w, "a\nX\nb\nC\nD\nd\ne\nf\ng\nh", 1, 0,
	    "1 . 2 e3 e4 4 5 6 7 8 | e1 | 1 | 1 others");
	FOLLOW(&w, "a\nb\nX\nD\nd\ne\nf\ng\nh", 1, 0,
	    "1 2 . e 4 5 6 7 8 | e1 | 1 | 1 others undone");
	/* Taken back: where the reader thinks them to be there are others. */
	FOLLOW(&w, EIGHT, 1, 0, "1 2 . . . . . . | e1 | 1 | now others undone");
	/* The same in two steps of its own. */
	edit(&w, "e2", "D\n", "D\nE\n");
	FOLLOW(&w, "a\nb\nC\nD\nE\nd\ne\nf\nX\nh", 1, 0,
	    "1 2 e e e 4 5 6 . 8 | e1 e2 | 1 | 1 others");
	/*
	 * An edit of a text that was not there, so somebody had put it there.
	 * Where it is made the lines are sent.  All others may have other
	 * numbers than the reader thinks.
	 */
	edit(&w, "e3", "Q\n", "R\n");
	FOLLOW(&w, "a\nb\nC\nD\nE\nd\ne\nR\nX\nh", 1, 0,
	    ". . e3 e4 e5 4 5 . . 8 | e1 e2 | 1 | 1 others");
	/* It is not there, or twice. */
	FOLLOW(&w, "a\nb\nC\nD\nE\nd\ne\nf\nX\nh", 1, 0, "none");
	FOLLOW(&w, "a\nb\nC\nD\nE\nd\ne\nR\nR\nh", 1, 0, "none");
}

/* Lines that the reader has removed, and what others did there or elsewhere. */
static void
removals_and_others(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "c\nd\n", "");
	FOLLOW(&w, "a\nb\nX\ne\nf\ng\nh", 1, 0,
	    "1 2 . -5 6 7 8 | e1 | 1 | 1 others undone");
	/* New lines above it, and below it. */
	FOLLOW(&w, "a\nX\nb\ne\nf\ng\nh", 1, 0,
	    "1 . 2 -5 6 7 8 | e1 | 1 | 1 others");
	FOLLOW(&w, "a\nb\ne\nf\nX\ng\nh", 1, 0,
	    "1 2 -5 6 . 7 8 | e1 | 1 | 1 others");
	FOLLOW(&w, "a\nb\ne\nf\ng\nX\nh", 1, 0,
	    "1 2 -5 6 7 . 8 | e1 | 1 | 1 others");
	/* At the end. */
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "\ng\nh", "");
	FOLLOW(&w, "a\nb\nX\nc\nd\ne\nf", 1, 0,
	    "1 2 . 3 4 5 6 | e1 | 1 | 1 others end");
	FOLLOW(&w, "a\nb\nc\nd\ne\nf\nX", 1, 0,
	    "1 2 3 4 5 . . | e1 | 1 | 1 others end undone");
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "g\n", "");
	FOLLOW(&w, "a\nb\nc\nd\ne\nf\nX", 1, 0,
	    "1 2 3 4 5 6 . | e1 | 1 | 1 others undone");
	w = world_begin(arena);
	see(&w, EIGHT "\n", 1, 0);
	edit(&w, "e1", "g\nh\n", "");
	FOLLOW(&w, "a\nb\nc\nd\ne\nf\nX\n", 1, 0,
	    "1 2 3 4 5 6 . -9 | e1 | 1 | 1 others undone");
}

/*
 * pi gives new texts the line ends of line 1.  Who has not seen it does not
 * know what it has written.
 */
static void
line_ends_that_were_not_seen(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, "a\r\nb\r\nc\r\nd", 4, 4);
	edit(&w, "e1", "d", "D\ne\nf");
	FOLLOW(&w, "a\r\nb\r\nc\r\nD\r\ne\r\nf", 4, 6, "none");
	/* A text of one line has no end of its own. */
	w = world_begin(arena);
	see(&w, "a\r\nb\r\nc\r\nd", 4, 4);
	edit(&w, "e1", "d", "D");
	FOLLOW(&w, "a\r\nb\r\nc\r\nD", 4, 4, "e | e1 | 1 | 1");
	/* As it was written; and as it was not, in a file of the other kind. */
	w = world_begin(arena);
	see(&w, "a\r\nb\r\nc\r\nd", 4, 4);
	edit(&w, "e1", "d", "D\r\ne");
	FOLLOW(&w, "a\r\nb\r\nc\r\nD\r\ne", 4, 5, "e e | e1 | 1 | 1");
	w = world_begin(arena);
	see(&w, "a\nb\nc\nd", 4, 4);
	edit(&w, "e1", "d", "D\r\ne");
	FOLLOW(&w, "a\nb\nc\nD\ne", 4, 5, "none");
	/* Line 1 was seen, before or after the rest. */
	w = world_begin(arena);
	see(&w, "a\r\nb\r\nc\r\nd", 1, 1);
	see(&w, "a\r\nb\r\nc\r\nd", 4, 4);
	edit(&w, "e1", "d", "D\ne\nf");
	FOLLOW(&w, "a\r\nb\r\nc\r\nD\r\ne\r\nf", 4, 6, "e e e | e1 | 2 1 | 1");
	/* The first of two edits is the one that has to know. */
	w = world_begin(arena);
	see(&w, "a\r\nb\r\nc\r\nd", 4, 4);
	edit(&w, "e1", "a\n", "A\n");
	edit(&w, "e2", "d", "D\ne");
	FOLLOW(&w, "A\r\nb\r\nc\r\nD\r\ne", 4, 5, "none");
}

/*
 * An old text may begin in a line that was shown and go on in lines that were
 * not.  It could then be anywhere: every line has an end.
 */
static void
old_texts_of_lines_not_shown(struct arena *arena)
{
	static const struct {
		uint64_t first, last;
		const char *from, *to, *now, *lines;
	} rows[] = {
	    {3, 4, "\ne\nf", "\nX\nY", "a\nb\nc\nd\nX\nY\ng\nh", "none"},
	    {3, 5, "\ne\nf", "\nX\nY", "a\nb\nc\nd\nX\nY\ng\nh", "none"},
	    {3, 6, "\ne\nf", "\nX\nY", "a\nb\nc\nd\nX\nY\ng\nh",
		"e e | e1 | 1 | 1"},
	    {5, 6, "\ne\nf", "\nX\nY", "a\nb\nc\nd\nX\nY\ng\nh", "none"},
	    {3, 6, "\ne\nf\n", "\nX\nY\n", "a\nb\nc\nd\nX\nY\ng\nh",
		"e e | e1 | 1 | 1"},
	    /* One more line that has nothing in it but its end. */
	    {3, 6, "e\nf\n", "X\nY\n", "a\nb\nc\nd\nX\nY\ng\nh",
		"e e | e1 | 1 | 1"},
	    {5, 6, "e\nf\n", "X\nY\n", "a\nb\nc\nd\nX\nY\ng\nh",
		"e e | e1 | 1 | 1"},
	    {4, 4, "d\n", "d\nX\nY\n", "a\nb\nc\nd\nX\nY\ne\nf\ng\nh",
		"e e | e1 | 1 | 1"},
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct world w = world_begin(arena);

		see(&w, EIGHT, rows[i].first, rows[i].last);
		edit(&w, "e1", rows[i].from, rows[i].to);
		FOLLOW(&w, rows[i].now, 5, 6, rows[i].lines);
	}
}

/* Nobody can say where the second edit was made: nothing of them is told. */
static void
an_edit_of_joined_lines(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, "a\nabc\ndef\ne\nf\ng\nh", 1, 0);
	edit(&w, "e1", "g\n", "G\n");
	FOLLOW(
	    &w, "a\nabc\ndef\ne\nf\nG\nh", 1, 0, "1 2 3 4 5 e 7 | e1 | 1 | 1");
	edit(&w, "e2", "c\nd", "cXd");
	edit(&w, "e3", "cXd", "Q");
	FOLLOW(
	    &w, "a\nabQef\ne\nf\nG\nh", 1, 0, "1 . 4 5 . 7 | e1 e2 e3 | 1 | 1");
	/* Nor if the one before them is a step of its own. */
	w = world_begin(arena);
	see(&w, "a\nabc\ndef\ne\nf\ng\nh", 1, 0);
	edit(&w, "e1", "g\n", "G\n");
	see(&w, "a\nabc\ndef\ne\nf\nG\nh", 1, 1);
	edit(&w, "e2", "c\nd", "cXd");
	edit(&w, "e3", "cXd", "Q");
	FOLLOW(&w, "a\nabQef\ne\nf\nG\nh", 1, 0,
	    "1 . 4 5 . 7 | e1 e2 e3 | 2 1 | 2");
}

/* What the reader has moved itself it finds, whatever it was shown since. */
static void
places_that_own_edits_moved(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "a\n", "a\nnew\n");
	see(&w, "a\nnew\nb\nc\nd\ne\nf\ng\nh", 4, 6);
	edit(&w, "e2", "b\n", "b\nB\n");
	/* What was line 6 is line 7 then, and another one is line 6. */
	edit(&w, "e3", "f\n", "F\n");
	FOLLOW(
	    &w, "a\nnew\nb\nB\nc\nd\ne\nF\ng\nh", 8, 8, "e | e1 e2 e3 | 1 | 1");
}

/* ---- a file that the reader wrote ---- */

static void
written_files(struct arena *arena)
{
	struct world w = world_begin(arena);

	write_all(&w, "w1", EIGHT);
	FOLLOW(&w, EIGHT, 1, 0, "w w w w w w w w | w1 | | now written");
	FOLLOW(&w, EIGHT, 3, 4, "w w | w1 | | now written");
	edit(&w, "e1", "c\n", "C\n");
	edit(&w, "e2", "f", "F");
	FOLLOW(&w, "a\nb\nC\nd\ne\nF\ng\nh", 1, 0,
	    "w w e w w e w w | w1 e1 e2 | | now written");
	FOLLOW(&w, "a\nb\nC\nd\ne\nF\ng\nX", 1, 0,
	    "w w e w w e w . | w1 e1 e2 | | now others written undone");
	/* Too large to compare: what is before it is something else. */
	w = world_begin(arena);
	w.max_lines = 8;
	see(&w, EIGHT, 1, 0);
	write_all(&w, "w1", EIGHT "\ni");
	FOLLOW(&w, EIGHT, 1, 0, "none");
	/* What was written before it does not matter. */
	w = world_begin(arena);
	see(&w, "x\ny", 1, 0);
	write_all(&w, "w1", "q\nr");
	write_all(&w, "w2", EIGHT);
	FOLLOW(&w, EIGHT, 1, 0, "w w w w w w w w | w2 | | now written");
	/* Nor what it did before the text was shown. */
	w = world_begin(arena);
	write_all(&w, "w1", EIGHT);
	edit(&w, "e1", "c\n", "C\n");
	see(&w, "a\nb\nC\nd\ne\nf\ng\nh", 1, 0);
	FOLLOW(
	    &w, "a\nb\nC\nd\ne\nf\ng\nh", 1, 0, "1 2 3 4 5 6 7 8 | | 1 | now");
}

/*
 * A line that the reader wrote has the number that it thinks, or one that it
 * had before others moved it, once.
 */
static void
written_lines_that_others_moved(struct arena *arena)
{
	struct world w = world_begin(arena);

	write_all(&w, "w1", EIGHT);
	FOLLOW(&w, "a\nb\nc\nX\nd\ne\nf\ng\nh", 1, 0,
	    "w w w . w4 w5 w6 w7 w8 | w1 | | now others written undone");
	FOLLOW(&w, "a\nB\nc\nd\ne\nf\ng\nh", 1, 0,
	    "w . w w w w w w | w1 | | now others written undone");
	/* Moved there and back: others have been at it. */
	see(&w, "x\n" EIGHT, 1, 1);
	FOLLOW(&w, EIGHT, 1, 0, "none");
	/* Moved since the last change only. */
	w = world_begin(arena);
	write_all(&w, "w1", EIGHT);
	see(&w, "a\nb\nc\nd\ne\nf\ng\nH", 8, 8);
	FOLLOW(&w, "x\na\nb\nc\nd\ne\nf\ng\nH", 1, 0,
	    ". . . . . . . . 8 | w1 | 1 | 1 others written undone");
	FOLLOW(&w, "a\nb\nc\nd\ne\nF\ng\nH", 1, 0,
	    "w w w w w . w 8 | w1 | 1 | 1 others written undone");
	/* The reader knows of its own edit that it moves lines. */
	w = world_begin(arena);
	write_all(&w, "w1", EIGHT);
	sight(&w, "a\nb\nc\nd\ne\nf\ng\nH", 8, 8);
	edit(&w, "e1", "a\n", "a\nnew\n");
	FOLLOW(&w, "a\nnew\nb\nc\nd\ne\nf\ng\nH", 1, 0,
	    "e e w w w w w w . | w1 e1 | | now others written undone");
	/* But an edit that moves them back does not make it right. */
	w = world_begin(arena);
	write_all(&w, "w1", EIGHT);
	see(&w, "b\nc\nd\ne\nf\ng\nh", 1, 1);
	edit(&w, "e1", "c\n", "c\nnew\n");
	FOLLOW(&w, "b\nc\nnew\nd\ne\nf\ng\nh", 4, 0, "none");
}

/* ---- own edits of what others have made ---- */

#define REST "\nf\ng\nh\ni\nj\nk\nl"
#define REST_OWN "w6 w7 w8 w9 w10 w11 w12 "
#define SET_ASIDE "| w1 | | now others written undone"

/* Others have made D of d, and the reader has edited that. */
static struct world
after_an_edit_of_others(struct arena *arena, const char *from, const char *to)
{
	struct world w = world_begin(arena);

	write_all(&w, "w1", TWELVE);
	edit(&w, "e1", from, to);
	return w;
}

/* Where it is in place, its lines are sent, and the others are known. */
static void
edits_set_aside(struct arena *arena)
{
	struct world w = after_an_edit_of_others(arena, "D", "new");

	FOLLOW(&w, "a\nb\nc\nnew\ne" REST, 1, 0,
	    "w1 w2 w3 . w5 " REST_OWN SET_ASIDE);
	FOLLOW(&w, "x\na\nb\nc\nnew\ne" REST, 2, 0,
	    "w1 w2 w3 . w5 " REST_OWN SET_ASIDE);
	FOLLOW(&w, "a\nb\nc\nnew\ne" REST, 4, 4, "none");
	/* Its line end is the end of its line. */
	w = after_an_edit_of_others(arena, "D\n", "new\n");
	FOLLOW(&w, "a\nb\nc\nnew\ne" REST, 1, 0,
	    "w1 w2 w3 . w5 " REST_OWN SET_ASIDE);
	/* More lines, in the midst of others that were shown to nobody. */
	w = after_an_edit_of_others(arena, "D", "new\nand new");
	FOLLOW(&w, "a\nb\nc\nX\nnew\nand new\ne" REST, 1, 0,
	    "w1 w2 w3 . . . w5 " REST_OWN SET_ASIDE);
}

/* Where it is not, or nobody can say so, nothing before it counts. */
static void
edits_not_set_aside(struct arena *arena)
{
	struct world w = after_an_edit_of_others(arena, "D", "new");

	FOLLOW(&w, "a\nb\nc\nD\ne" REST, 1, 0, "none");
	FOLLOW(&w, "a\nnew\nc\nnew\ne" REST, 1, 0, "none");
	/* Of the file a part is at hand only. */
	w.now = (struct piece){SPAN("a\nb\nc\nnew\ne"), 1};
	FOLLOW(&w, "a\nb\nc\nnew\ne" REST, 1, 5, "none");
	w.now = (struct piece){SPAN("b\nc\nnew\ne"), 2};
	FOLLOW(&w, "a\nb\nc\nnew\ne" REST, 2, 5, "none");
	/* It leaves nothing that could be seen. */
	w = after_an_edit_of_others(arena, "D\n", "");
	FOLLOW(&w, "a\nb\nc\ne" REST, 1, 0, "none");
	/* What it has replaced is in what the reader made, twice. */
	w = world_begin(arena);
	write_all(&w, "w1", "d\n" TWELVE);
	edit(&w, "e1", "d", "new");
	FOLLOW(&w, "a\nb\nc\nnew\ne" REST, 1, 0, "none");
	/* What it has made was there already, and elsewhere. */
	w = after_an_edit_of_others(arena, "D", "f");
	FOLLOW(&w, "a\nb\nc\nf\ne\ng\nh\ni\nj\nk\nl", 1, 0, "none");
	w = after_an_edit_of_others(arena, "D\ne", "f");
	FOLLOW(&w, "a\nb\nc\nf\ng\nh\ni\nj\nk\nl", 1, 0, "none");
	w = world_begin(arena);
	write_all(&w, "w1", "f\n" TWELVE);
	edit(&w, "e1", "D", "f");
	FOLLOW(&w, "a\nb\nc\nf\ne\ng\nh\ni\nj\nk\nl", 1, 0, "none");
}

/*
 * Others have taken back what an edit e1 had made, and the reader has made it
 * again, by e2.
 */
static void
edits_made_again(struct arena *arena)
{
	struct world w = world_begin(arena);
	const char *made = "a\nb\nc\nd\nX\ne" REST;

	write_all(&w, "w1", TWELVE);
	edit(&w, "e1", "d\n", "d\nX\n");
	edit(&w, "e2", "d\ne", "d\nX\ne");
	FOLLOW(&w, made, 1, 0,
	    "w1 w2 w3 . . . w7 w8 w9 w10 w11 w12 w13 | w1 e1 | | now others "
	    "written undone");
	/* The line that both texts have is there twice: which place is it? */
	w = world_begin(arena);
	write_all(&w, "w1", "a\nb\nX\nQ\nc\nQ\nd\ne");
	edit(&w, "e1", "C\nQ", "X\nQ");
	FOLLOW(&w, "a\nb\nQ\nX\nQ\nd\ne", 1, 0, "none");
}

/* The eighth line that both texts have is looked at, and the ninth is not. */
static void
edits_of_many_lines_made_again(struct arena *arena)
{
	for (int n = 7; n <= 8; n++) {
		struct world w = world_begin(arena);
		struct buf from = buf_new(arena, 64);
		const char *made = "a\nb\nX\nd\ne\nf";

		for (int i = 0; i < n; i++)
			buf_str(&from, "other\n");
		buf_str(&from, "d");
		write_all(&w, "w1", made);
		edit(&w, "e1", arena_cstr(arena, buf_span(&from)), "X\nd");
		FOLLOW(&w, made, 1, 0,
		    n < 8 ? "w1 w2 . . w5 w6 " SET_ASIDE : "none");
	}
}

/* Of one own line nothing is known any more; the other is looked for still. */
static void
own_lines_that_moved_twice(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, "a\nf\ng\nh", 1, 0);
	edit(&w, "e1", "f", "F");
	see(&w, "a\nx\nF\ng\nh", 5, 5);
	see(&w, "a\ny\nx\nF\ng\nh", 6, 6);
	edit(&w, "e2", "a", "A");
	FOLLOW(&w, "A\ny\nx\nF\ng\nh", 1, 4,
	    "e . . . | e1 e2 | 1 | 1 others");
}

/* Before an edit that was set aside the reader's own numbers are known again. */
static void
steps_before_an_edit_set_aside(struct arena *arena)
{
	struct world w = world_begin(arena);

	write_all(&w, "w1", TWELVE);
	edit(&w, "e1", "b", "B");
	see(&w, "a\nB\nc\nd\ne" REST, 1, 1);
	edit(&w, "e2", "D", "new");
	FOLLOW(&w, "a\nB\nc\nnew\ne" REST, 1, 0,
	    ". e2 w3 . w5 " REST_OWN "| w1 e1 | | now others written undone");
}

/* The version in which moved lines have numbers is that of the last change. */
static void
others_before_and_after_an_edit(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, TWELVE, 1, 0);
	see(&w, "x\n" TWELVE, 5, 5);
	edit(&w, "e1", "d", "D");
	FOLLOW(&w, "y\nx\na\nb\nc\nD\ne" REST, 1, 0,
	    ". . 1 2 3 e5 . 6 7 8 9 10 11 12 | e1 | 2 1 | 2 others");
	/* Others before it only. */
	w = world_begin(arena);
	write_all(&w, "w1", TWELVE);
	see(&w, "x\n" TWELVE, 5, 5);
	edit(&w, "e1", "d", "D");
	FOLLOW(&w, "x\na\nb\nc\nD\ne" REST, 1, 0,
	    ". w1 w2 w3 e w5 " REST_OWN "| w1 e1 | 1 | 1 others written "
	    "undone");
}

/* ---- limits ---- */

static void
at_most_eight_diffs(struct arena *arena)
{
	for (int versions = 8; versions <= 9; versions++) {
		struct world w = world_begin(arena);
		const char *file = NULL;

		see(&w, EIGHT, 1, 3);
		for (int i = 0; i < versions; i++) {
			struct buf text = buf_new(arena, 64);

			buf_str(&text, EIGHT "\n");
			buf_char(&text, (char)('0' + i));
			buf_char(&text, '\0');
			file = buf_span(&text).p;
			see(&w, file, 9, 9);
		}
		ASSERT_TEXT(follow(&w, file, 1, 4),
		    versions == 8 ? "1 2 3 . | | 1 | 1 others" : "none");
	}
}

static void
at_most_64_views(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, EIGHT, 1, 3);
	for (int i = 0; i < 63; i++)
		see(&w, EIGHT, 8, 8);
	FOLLOW(&w, EIGHT, 1, 4, "1 2 3 . | | 1 | now");
	see(&w, EIGHT, 8, 8);
	FOLLOW(&w, EIGHT, 1, 4, "none");
}

static void
at_most_32_calls(struct arena *arena)
{
	static const char *const ids[] = {"1", "2", "3", "4", "5", "6", "7",
	    "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18",
	    "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29",
	    "30", "31", "32", "33"};

	for (int edits = 31; edits <= 33; edits++)
		for (int written = 0; written <= 1; written++) {
			struct world w = world_begin(arena);
			char file[80] = "a\nb";
			struct span found;

			if (written)
				write_all(&w, "w", "a\nb");
			else
				see(&w, "a\nb", 1, 0);
			for (int i = 0; i < edits; i++) {
				size_t n = strlen(file);
				struct buf text = buf_new(arena, 200);

				buf_str(&text, file);
				buf_char(&text, '\0');
				file[n] = '+';
				file[n + 1] = '\0';
				buf_str(&text, file);
				buf_char(&text, '\0');
				edit(&w, ids[i], buf_span(&text).p + 2,
				    buf_span(&text).p + n + 1 + 2);
			}
			found = follow(&w, file, 1, 0);
			CHECK((found.n > 4) == (edits + written <= 32),
			    "%d edits, %d", edits, written);
		}
}

/* Where the calls are too many there is no diff in their place. */
static void
a_view_among_the_calls(struct arena *arena)
{
	for (int calls = 32; calls <= 33; calls++) {
		struct world w = world_begin(arena);
		char file[80] = "a\nb+";

		see(&w, "a\nb", 1, 0);
		edit(&w, "first", "b", "b+");
		see(&w, "a\nb+", 2, 2);
		for (int i = 1; i < calls; i++) {
			char *ids = arena_array(arena, 1, 128);
			size_t n = strlen(file);

			ids[0] = (char)(' ' + i);
			memcpy(ids + 2, file + 2, n - 2);
			memcpy(ids + 64, file + 2, n - 2);
			ids[64 + n - 2] = '+';
			edit(&w, ids, ids + 2, ids + 64);
			file[n] = '+';
		}
		CHECK(span_starts(follow(&w, file, 1, 0),
			  calls == 32 ? SPAN("1 e |") : SPAN(". e |")),
		    "%d calls", calls);
	}
}

static void
files_that_are_too_large(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, EIGHT, 1, 0);
	w.max_lines = 8;
	FOLLOW(&w, "a\nb\n", 1, 0, "1 2 . | | 1 | 1 others");
	FOLLOW(&w, "x\n" EIGHT, 2, 3, "none");
	w.max_lines = 7;
	FOLLOW(&w, "a\nb\n", 1, 0, "none");
}

/* When the steps are used up, nothing more is claimed. */
static void
no_steps_left(struct arena *arena)
{
	struct world w = world_begin(arena);
	struct span all = SPAN("1 2 3 4 5 6 7 8 | | 2 1 | now");
	uint64_t least = 0;
	bool whole = false;

	see(&w, EIGHT, 5, 8);
	see(&w, EIGHT, 1, 4);
	sight(&w, EIGHT, 1, 8);
	for (uint64_t left = 0; !whole; left++) {
		struct span found;

		trust_budget(w.trust)->left = left;
		found = follow(&w, EIGHT, 1, 0);
		whole = span_eq(found, all);
		least = left;
		assert_true(left < 1000);
	}
	/*
	 * A step for each view, and 8 for each line.  A line of the same
	 * version is not compared.
	 */
	assert_int_equal(least, 3 + 8 * 8);
	/* Where the next view is not looked at, an own edit may be there. */
	trust_budget(w.trust)->left = 2 + 8 * 4;
	FOLLOW(&w, EIGHT, 1, 0, "1 2 3 4 . . . . | | 2 | now undone");
}

/* ---- what is no evidence ---- */

static void
views_that_stop_the_walk(struct arena *arena)
{
	struct world w = world_begin(arena);
	struct event event;

	/* Nobody knows what was seen. */
	see(&w, EIGHT, 1, 0);
	event = view_of(&w, EIGHT, 1, 2);
	event.kind = EVENT_SIGHTING;
	event.veiled = true;
	(void)trust_apply(w.trust, &event);
	FOLLOW(&w, EIGHT, 1, 0, "none");
	/* A diff from something that nobody knows. */
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	event = view_of(&w, EIGHT, 1, 0);
	event.mode = MODE_DIFF;
	event.has_base = true;
	event.base = digest_of(SPAN("other"));
	(void)trust_apply(w.trust, &event);
	FOLLOW(&w, EIGHT, 1, 0, "none");
	/* The name led to another file. */
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	w.path = SPAN("/w/b");
	see(&w, EIGHT, 1, 2);
	FOLLOW(&w, EIGHT, 1, 0, "none");
}

static void
views_that_prove_nothing(struct arena *arena)
{
	struct world w = world_begin(arena);
	struct span name = w.name;
	struct event event;

	/* Of the very version: the walk goes on. */
	see(&w, EIGHT, 1, 4);
	sight(&w, EIGHT, 3, 8);
	FOLLOW(&w, EIGHT, 1, 0, "1 2 3 4 . . . . | | 1 | now");
	/* Of another one: it does not. */
	sight(&w, "x\n" EIGHT, 9, 9);
	FOLLOW(&w, EIGHT, 1, 0, "none");
	see(&w, EIGHT, 1, 1);
	FOLLOW(&w, EIGHT, 1, 0, "1 . . . . . . . | | 4 | now");
	/* By another name: the same. */
	w = world_begin(arena);
	see(&w, EIGHT, 1, 4);
	w.name = SPAN("/w/other");
	see(&w, EIGHT, 1, 0);
	FOLLOW(&w, EIGHT, 1, 0, "1 2 3 4 . . . . | | 1 | now");
	see(&w, "x\n" EIGHT, 1, 0);
	FOLLOW(&w, EIGHT, 1, 0, "none");
	w.name = name;
	/* It says which bytes the reader's edit was made of. */
	edit(&w, "e1", "h", "H");
	FOLLOW(&w, "x\na\nb\nc\nd\ne\nf\ng\nH", 1, 0, "none");
	w = world_begin(arena);
	see(&w, EIGHT, 1, 4);
	sight(&w, EIGHT "\nx", 9, 9);
	edit(&w, "e1", "x", "X\nY\n");
	FOLLOW(&w, EIGHT "\nX\nY\n", 1, 0,
	    "1 2 3 4 . . . . . . . | e1 | 1 | 1 others");
	/* A marker that refers to nothing: the reader gets the text. */
	w = world_begin(arena);
	see(&w, EIGHT, 1, 4);
	event = view_of(&w, EIGHT "\nx", 5, 6);
	event.mode = MODE_UNCHANGED_RANGE;
	event.has_base = true;
	event.base = digest_of(SPAN("other"));
	(void)trust_apply(w.trust, &event);
	FOLLOW(&w, EIGHT "\ny", 1, 0, "1 2 3 4 . . . . . | | 1 | 1 others");
}

static void
versions_that_are_missing(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, EIGHT, 1, 0);
	see(&w, EIGHT "\nx", 9, 9);
	keep(&w, span_str(EIGHT "\nx"))->gone = true;
	FOLLOW(&w, EIGHT "\ny", 1, 0, "none");
	/* Where its bytes are the file's, it is not needed. */
	FOLLOW(&w, EIGHT "\nx", 1, 0, "1 2 3 4 5 6 7 . 9 | | 2 1 | now others");
	edit(&w, "e1", "x", "y");
	FOLLOW(&w, EIGHT "\ny", 1, 0, "none");
}

static void
changes_that_are_no_evidence(struct arena *arena)
{
	struct world w = world_begin(arena);
	struct span name = w.name;

	/* Nobody knows what it was. */
	see(&w, EIGHT, 1, 0);
	(void)trust_apply(
	    w.trust, &(struct event){
			 .kind = EVENT_EDITED, .path = w.path, .name = w.name});
	FOLLOW(&w, EIGHT, 1, 0, "none");
	/* The same id twice. */
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "a", "A");
	edit(&w, "e1", "b", "B");
	FOLLOW(&w, "A\nB\nc\nd\ne\nf\ng\nh", 1, 0, "none");
	w = world_begin(arena);
	write_all(&w, "e1", "x");
	write_all(&w, "e1", "y");
	write_all(&w, "e1", EIGHT);
	FOLLOW(&w, EIGHT, 1, 0, "none");
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "a", "A");
	w.path = w.name = SPAN("/w/b");
	edit(&w, "e1", "b", "B");
	w.name = name;
	FOLLOW(&w, "A\nb\nc\nd\ne\nf\ng\nh", 1, 0, "none");
	/* By another name, or of another file. */
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	w.name = SPAN("/w/other");
	edit(&w, "e1", "a", "A");
	w.name = name;
	FOLLOW(&w, "A\nb\nc\nd\ne\nf\ng\nh", 1, 0, "none");
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	w.path = SPAN("/w/b");
	edit(&w, "e1", "a", "A");
	FOLLOW(&w, "A\nb\nc\nd\ne\nf\ng\nh", 1, 0, "none");
}

/* A refresh ends all that is known; what comes after it counts again. */
static void
holes(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, EIGHT, 1, 4);
	see(&w, EIGHT, 5, 6);
	refresh(&w, scope_range(8, 8));
	FOLLOW(&w, EIGHT, 1, 0, "none");
	see(&w, EIGHT, 3, 4);
	FOLLOW(&w, EIGHT, 1, 0, ". . 3 4 . . . . | | 3 | now");
	edit(&w, "e1", "c\n", "c\nX\n");
	FOLLOW(&w, "a\nb\nc\nX\nd\ne\nf\ng\nh", 1, 0,
	    ". . e e 4 . . . . | e1 | 3 | 1");
	refresh(&w, scope_full());
	FOLLOW(&w, "a\nb\nc\nX\nd\ne\nf\ng\nh", 1, 0, "none");
	write_all(&w, "w1", EIGHT);
	FOLLOW(&w, EIGHT, 8, 8, "w | w1 | | now written");
}

static void
answers_that_cannot_be_named(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, EIGHT, 1, 2);
	w.nameless = true;
	see(&w, EIGHT, 3, 4);
	FOLLOW(&w, EIGHT, 1, 0, "1 2 3 4 . . . . | | 1 | now untold");
	FOLLOW(&w, EIGHT, 1, 2, "1 2 | | 1 | now");
	w = world_begin(arena);
	w.nameless = true;
	see(&w, EIGHT, 1, 2);
	w.nameless = false;
	see(&w, EIGHT, 3, 4);
	FOLLOW(&w, EIGHT, 1, 0, "1 2 3 4 . . . . | | 2 | now untold");
}

/* What is not needed is not rested on: where the edit was made, for others. */
static void
lines_beside_an_edit(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, EIGHT, 1, 3);
	see(&w, EIGHT, 5, 6);
	edit(&w, "e1", "b", "B");
	FOLLOW(&w, "a\nB\nc\nd\ne\nf\ng\nh", 5, 6, "5 6 | e1 | 2 | 1");
	FOLLOW(&w, "a\nB\nc\nd\ne\nf\ng\nh", 2, 2, "e | e1 | 1 | 1");
	/* In the last line, before which there was another edit. */
	w = world_begin(arena);
	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "a", "A");
	see(&w, "A\nb\nc\nd\ne\nf\ng\nh", 1, 1);
	edit(&w, "e2", "h", "H");
	FOLLOW(&w, "A\nb\nc\nd\ne\nf\ng\nH", 1, 0,
	    "1 2 3 4 5 6 7 e | e1 e2 | 2 1 | 2");
}

/* ---- parts of a file ---- */

static void
pieces_of_versions(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, TWELVE, 3, 8);
	keep(&w, span_str(TWELVE))->piece =
	    (struct piece){SPAN("c\nd\ne\nf\ng\nh"), 3};
	FOLLOW(&w, "x\n" TWELVE, 1, 0,
	    ". . . 3 4 5 6 7 . . . . . | | 1 | 1 others");
	/* Nor is there more of the file now. */
	w.now = (struct piece){SPAN("d\ne\nf"), 5};
	FOLLOW(&w, "x\n" TWELVE, 5, 7, "4 5 . | | 1 | 1 others");
	w.now = (struct piece){SPAN("d\ne\nf"), 5};
	FOLLOW(&w, "x\n" TWELVE, 4, 8, ". 4 5 . . | | 1 | 1 others");
	w.now = (struct piece){SPAN("e\nf"), 5};
	FOLLOW(&w, TWELVE, 4, 7, ". 5 6 . | | 1 | now");
}

/* Lines that are far from those which are at hand. */
static void
lines_far_away(struct arena *arena)
{
	struct world w = world_begin(arena);
	uint64_t far = 100 * 1000 * 1000;

	see(&w, EIGHT, 1, 0);
	w.now = (struct piece){SPAN("d\ne\n"), 1};
	FOLLOW(&w, "x", far, far, "none");
	w.now.first = far;
	FOLLOW(&w, "x", 1, 1, "none");
}

/* An edit cannot be made of a part. */
static void
edits_of_pieces(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, EIGHT, 1, 0);
	edit(&w, "e1", "d\n", "D\n");
	keep(&w, span_str(EIGHT))->piece =
	    (struct piece){SPAN("c\nd\ne\nf\ng\nh"), 3};
	FOLLOW(&w, "a\nb\nc\nD\ne\nf\ng\nh", 1, 0, "none");
	/* Nor is it known what it makes of the whole, if others went on. */
	FOLLOW(&w, "a\nb\nc\nD\ne\nf\ng\nX", 1, 0, "none");
	FOLLOW(&w, "c\nD\ne\nf\ng\nX", 1, 0, "none");
	/* Of the file now there may be a part only. */
	keep(&w, span_str(EIGHT))->piece = (struct piece){span_str(EIGHT), 1};
	w.now = (struct piece){SPAN("c\nD\ne"), 3};
	FOLLOW(&w, "a\nb\nc\nD\ne\nf\ng\nh", 3, 5, "3 e 5 | e1 | 1 | 1");
}

/* ---- what an answer in pieces proves when the session is read again ---- */

/*
 * An answer about all of EIGHT that rests on the texts of the numbers TEXTS (0:
 * no more) and on CALLS.  Does it prove that the reader has it?
 */
static bool
proves(struct world *w, const uint8_t *texts, const char *const *calls)
{
	struct event event = view_of(w, EIGHT, 1, 0);
	struct rests *rests = arena_array(w->arena, 1, sizeof(*rests));
	struct span *ids = arena_array(w->arena, 4, sizeof(*ids));
	enum trust_step step;

	for (; texts[rests->n] != 0; rests->n++)
		rests->ids[rests->n].bytes[0] = texts[rests->n];
	for (; calls[event.ncalls] != NULL; event.ncalls++)
		ids[event.ncalls] = span_str(calls[event.ncalls]);
	event.mode = MODE_DIFF;
	event.has_base = true;
	event.base = event.served;
	event.pieces = 1;
	event.rests = rests;
	event.calls = ids;
	step = trust_apply(w->trust, &event);
	assert_true(step == TRUST_SET || step == TRUST_IGNORED);
	return step == TRUST_SET;
}

#define TEXTS(...) ((const uint8_t[]){__VA_ARGS__, 0})
#define NO_TEXTS ((const uint8_t[]){0})
#define CALLS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_CALLS ((const char *const[]){NULL})

/* A reader of texts 1 and 2, with the calls e1 and e2 between them. */
static struct world
reader(struct arena *arena)
{
	struct world w = world_begin(arena);

	see(&w, "old\n" EIGHT, 1, 4);
	edit(&w, "e1", "x", "y");
	see(&w, "older\n" EIGHT, 5, 8);
	edit(&w, "e2", "y", "z");
	return w;
}

static void
answers_that_prove(struct arena *arena)
{
	struct trust_base base;
	struct digest hash = digest_of(span_str(EIGHT));
	struct world w = reader(arena);

	assert_true(proves(&w, TEXTS(1), NO_CALLS));
	w = reader(arena);
	assert_true(proves(&w, TEXTS(2, 1), CALLS("e1", "e2")));
	/* Its lines are shown from here on, by this answer. */
	FOLLOW(&w, EIGHT, 1, 0, "1 2 3 4 5 6 7 8 | | 3 | now");
	assert_int_equal(
	    trust_find(w.trust, w.path, w.name, scope_full(), &base),
	    TRUST_FOUND);
	assert_true(digest_eq(&base.hash, &hash));
	assert_int_equal(base.text->bytes[0], 3);
	assert_false(trust_edited(w.trust, w.path, w.name, 1, 8));
	assert_int_equal(
	    trust_repeats(w.trust, w.path, w.name, scope_full(), &hash), 1);
	/* So others can rest on it. */
	assert_true(proves(&w, TEXTS(3), NO_CALLS));
	assert_int_equal(
	    trust_repeats(w.trust, w.path, w.name, scope_full(), &hash), 2);
	see(&w, EIGHT, 1, 0);
	assert_int_equal(
	    trust_repeats(w.trust, w.path, w.name, scope_full(), &hash), 0);
	w = reader(arena);
	assert_true(proves(&w, TEXTS(1, 1, 2), CALLS("e2", "e2")));
	w = reader(arena);
	assert_true(proves(&w, NO_TEXTS, CALLS("e1")));
	/* Texts without a name are between them. */
	w = reader(arena);
	w.nameless = true;
	see(&w, EIGHT, 1, 1);
	w.nameless = false;
	assert_true(proves(&w, TEXTS(1, 2), CALLS("e1")));
}

/*
 * A reader with texts 1 and 2, 3 of another file, 4 by another name, and 5 that
 * proves nothing.
 */
static struct world
viewer(struct arena *arena)
{
	struct world w = reader(arena);
	struct span path = w.path, name = w.name;

	w.path = SPAN("/w/b");
	see(&w, EIGHT, 1, 1);
	w.path = path;
	w.name = SPAN("/w/other");
	see(&w, EIGHT, 1, 1);
	w.name = name;
	sight(&w, EIGHT, 1, 1);
	return w;
}

static void
texts_that_are_not_there(struct arena *arena)
{
	const struct {
		const uint8_t *texts;
		bool proven;
	} rows[] = {
	    {TEXTS(1), true},
	    {TEXTS(7), false},
	    {TEXTS(1, 2, 7), false},
	    {TEXTS(1, 3), false},
	    {TEXTS(1, 4), false},
	    {TEXTS(1, 5), false},
	};
	struct world w;
	struct trust_base base;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		w = viewer(arena);
		assert_int_equal(
		    proves(&w, rows[i].texts, NO_CALLS), rows[i].proven);
	}
	/* If it is still sent, nobody knows what it is taken for. */
	w = reader(arena);
	assert_false(proves(&w, TEXTS(4), NO_CALLS));
	FOLLOW(&w, EIGHT, 1, 0, "none");
	assert_int_equal(
	    trust_find(w.trust, w.path, w.name, scope_full(), &base),
	    TRUST_NEVER);
	assert_false(proves(&w, TEXTS(1), NO_CALLS));
	/* Before a refresh. */
	w = reader(arena);
	see(&w, EIGHT, 1, 1); /* 3 */
	refresh(&w, scope_range(7, 8));
	assert_false(proves(&w, TEXTS(3), NO_CALLS));
	w = reader(arena);
	refresh(&w, scope_range(7, 8));
	assert_true(proves(&w, NO_TEXTS, NO_CALLS));
	w = reader(arena);
	refresh(&w, scope_full());
	see(&w, EIGHT, 1, 1); /* 3 */
	assert_true(proves(&w, TEXTS(3), NO_CALLS));
	assert_false(proves(&w, TEXTS(2), NO_CALLS));
}

/*
 * The same words may be said of two versions.  If the later answer is gone, the
 * earlier one does not stand for it.
 */
static void
texts_that_were_given_twice(struct arena *arena)
{
	struct world w = reader(arena);
	struct event again;

	w.texts = 0;
	see(&w, EIGHT, 1, 1); /* 1 again */
	assert_true(proves(&w, TEXTS(1), NO_CALLS));
	w = reader(arena);
	w.texts = 0;
	sight(&w, EIGHT, 1, 1);
	w.texts = 5;
	assert_true(proves(&w, TEXTS(2), NO_CALLS));
	assert_false(proves(&w, TEXTS(1), NO_CALLS));
	w = reader(arena);
	w.texts = 0;
	sight(&w, EIGHT, 1, 1);
	w.texts = 0;
	see(&w, EIGHT, 1, 1); /* 1 once more, and this one counts */
	assert_true(proves(&w, TEXTS(1), NO_CALLS));
	/* Nobody rests on the earlier one. */
	w = world_begin(arena);
	see(&w, EIGHT, 1, 4);
	w.texts = 0;
	see(&w, "x\n" EIGHT, 6, 7);
	FOLLOW(
	    &w, "x\n" EIGHT, 2, 0, "1 2 3 4 6 7 . . | | 1 | now others untold");
	FOLLOW(&w, "x\n" EIGHT, 6, 7, "6 7 | | 1 | now");
	w = world_begin(arena);
	see(&w, EIGHT, 1, 4);
	w.texts = 0;
	sight(&w, EIGHT, 5, 6);
	FOLLOW(&w, EIGHT, 1, 4, "1 2 3 4 | | 1 | now untold");
	/* The same lines again, or another file's: it is clear what is meant. */
	w = world_begin(arena);
	see(&w, EIGHT, 1, 4);
	w.texts = 0;
	see(&w, EIGHT, 1, 4);
	FOLLOW(&w, EIGHT, 1, 4, "1 2 3 4 | | 1 | now");
	w = world_begin(arena);
	w.path = SPAN("/w/b");
	see(&w, EIGHT, 5, 6);
	w.path = SPAN("/w/a");
	w.texts = 0;
	see(&w, EIGHT, 1, 4);
	FOLLOW(&w, EIGHT, 1, 4, "1 2 3 4 | | 1 | now");
	w = world_begin(arena);
	w.name = SPAN("/w/other");
	see(&w, EIGHT, 5, 6);
	w.name = SPAN("/w/link");
	w.texts = 0;
	see(&w, EIGHT, 1, 4);
	FOLLOW(&w, EIGHT, 1, 4, "1 2 3 4 | | 1 | now");
	/* Also where nobody sees it any more. */
	w = world_begin(arena);
	see(&w, EIGHT, 1, 4);
	w.texts = 0;
	again = view_of(&w, EIGHT, 5, 6);
	again.kind = EVENT_SIGHTING;
	again.omitted = true;
	(void)trust_apply(w.trust, &again);
	FOLLOW(&w, EIGHT, 1, 4, "1 2 3 4 | | 1 | now untold");
	/* A diff from a version that is not trusted proves nothing. */
	w = reader(arena);
	w.texts = 0;
	again = view_of(&w, EIGHT, 1, 0);
	again.mode = MODE_DIFF;
	again.has_base = true;
	again.base = digest_of(SPAN("another"));
	(void)trust_apply(w.trust, &again);
	assert_false(proves(&w, TEXTS(1), NO_CALLS));
}

/*
 * Text 1 was shown of lines 1 to 4, and then of lines FIRST to LAST of PATH by
 * NAME.  Is it still clear what is meant by it?
 */
static bool
is_clear(struct arena *arena, struct span path, struct span name,
    uint64_t first, uint64_t last)
{
	struct world w = world_begin(arena);
	struct rests rests = {.n = 0};
	struct text_id one = {.bytes = {1}};
	struct trust_views views;

	see(&w, EIGHT, 1, 4);
	views = trust_views(w.trust, w.path, w.name);
	w.texts = 0;
	w.path = path;
	w.name = name;
	see(&w, EIGHT, first, last);
	trust_rest_on(w.trust, &rests, &one, trust_next_view(&views)->seq);
	return !rests.untold;
}

static void
texts_that_were_given_elsewhere(struct arena *arena)
{
	struct span path = SPAN("/w/a"), name = SPAN("/w/link");

	assert_false(is_clear(arena, path, name, 5, 8));
	assert_true(is_clear(arena, path, name, 1, 4));
	assert_true(is_clear(arena, SPAN("/w/b"), name, 5, 8));
	assert_true(is_clear(arena, path, SPAN("/w/other"), 5, 8));
}

/* A reader with N calls e1, e3 of another file, and e4 by another name. */
static struct world
caller(struct arena *arena, int n)
{
	struct world w = reader(arena);
	struct span path = w.path, name = w.name;

	for (int i = 1; i < n; i++)
		edit(&w, "e1", "x", "y");
	w.path = SPAN("/w/b");
	edit(&w, "e3", "x", "y");
	w.path = path;
	w.name = SPAN("/w/other");
	edit(&w, "e4", "x", "y");
	w.name = name;
	return w;
}

static void
calls_that_are_not_there(struct arena *arena)
{
	const struct {
		int n;
		const char *const *calls;
		bool proven;
	} rows[] = {
	    {1, CALLS("e1"), true},
	    {1, CALLS("e5"), false},
	    {1, CALLS("e1", "e5"), false},
	    {1, CALLS("e5", "e1"), false},
	    {1, CALLS("e3"), false},
	    {1, CALLS("e4"), false},
	    {2, CALLS("e1"), false},
	    {3, CALLS("e1"), false},
	    {3, CALLS("e2"), true},
	};
	struct world w;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		w = caller(arena, rows[i].n);
		assert_int_equal(
		    proves(&w, TEXTS(1), rows[i].calls), rows[i].proven);
	}
	/* Before a refresh. */
	w = reader(arena);
	refresh(&w, scope_range(7, 8));
	assert_false(proves(&w, NO_TEXTS, CALLS("e2")));
	w = reader(arena);
	refresh(&w, scope_range(7, 8));
	edit(&w, "e3", "x", "y");
	assert_true(proves(&w, NO_TEXTS, CALLS("e3")));
	assert_false(proves(&w, NO_TEXTS, CALLS("e2", "e3")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(lines_of_one_version),
	    TEST(lines_that_others_moved),
	    TEST(line_ends),
	    TEST(the_newest_view_counts),
	    TEST(numbers_that_were_shown_since),
	    TEST(numbers_behind_the_end),
	    TEST(numbers_by_another_name),
	    TEST(numbers_of_lines_that_are_gone),
	    TEST(edits_of_mixed_line_ends),
	    TEST(whole_lines_of_an_edit),
	    TEST(edits_of_a_joined_line),
	    TEST(edits_of_very_many_lines),
	    TEST(edits_and_others),
	    TEST(removals_and_others),
	    TEST(edits_set_aside),
	    TEST(edits_not_set_aside),
	    TEST(edits_made_again),
	    TEST(edits_of_many_lines_made_again),
	    TEST(own_lines_that_moved_twice),
	    TEST(steps_before_an_edit_set_aside),
	    TEST(others_before_and_after_an_edit),
	    TEST(line_ends_that_were_not_seen),
	    TEST(old_texts_of_lines_not_shown),
	    TEST(an_edit_of_joined_lines),
	    TEST(places_that_own_edits_moved),
	    TEST(an_edit_that_cannot_be),
	    TEST(parts_of_a_line),
	    TEST(two_lines_become_one),
	    TEST(two_lines_and_another_change),
	    TEST(removals),
	    TEST(edits_of_several_lines),
	    TEST(removals_and_edits),
	    TEST(removals_at_the_end),
	    TEST(edits_of_joined_lines),
	    TEST(joined_lines_and_their_numbers),
	    TEST(written_files),
	    TEST(written_lines_that_others_moved),
	    TEST(at_most_eight_diffs),
	    TEST(at_most_64_views),
	    TEST(at_most_32_calls),
	    TEST(a_view_among_the_calls),
	    TEST(files_that_are_too_large),
	    TEST(no_steps_left),
	    TEST(views_that_stop_the_walk),
	    TEST(views_that_prove_nothing),
	    TEST(versions_that_are_missing),
	    TEST(changes_that_are_no_evidence),
	    TEST(holes),
	    TEST(answers_that_cannot_be_named),
	    TEST(lines_beside_an_edit),
	    TEST(pieces_of_versions),
	    TEST(lines_far_away),
	    TEST(edits_of_pieces),
	    TEST(answers_that_prove),
	    TEST(texts_that_are_not_there),
	    TEST(texts_that_were_given_twice),
	    TEST(texts_that_were_given_elsewhere),
	    TEST(calls_that_are_not_there),
	};

	return RUN_TESTS(tests);
}
