#include "unit_view.h"

#include "answer/weigh.h"
#include "diff/useful.h"

#define A10 "1\n2\n3\n4\n5\n6\n7\n8\n9\n"

/* Long enough for a diff of one line to be worth it. */
#define LONG(line)                                                             \
	"a first line that is long enough\n" line "\n"                         \
	"and a third line that is also long enough to matter\n"                \
	"and a fourth line that is also long enough to matter\n"               \
	"and a fifth line that is also long enough to matter\n"                \
	"and a sixth line that is also long enough to matter\n"                \
	"and a seventh line that is also long enough to matter\n"              \
	"and an eighth line that is also long enough to matter\n"              \
	"and a ninth line that is also long enough to matter\n"

/* What happened before the question; an event that is not there ends it. */
struct past {
	enum {
		END,
		SHOWN,
		DIFFED,
		MARKED,
		SEEN,
		VEILED,
		REFRESHED,
		BLIND
	} kind;
	const char *text;     /* the file's then; of MARKED also the base */
	uint64_t first, last; /* 0, 0: full */
	const char *name;     /* NULL: the usual one */
	const char *path;     /* the same */
};

/* Of the whole file, and of some lines. */
#define DID(kind, text)                                                        \
	{                                                                      \
		kind, text, 0, 0, NULL, NULL                                   \
	}
#define PART(kind, text, first, last)                                          \
	{                                                                      \
		kind, text, first, last, NULL, NULL                            \
	}

struct row {
	const char *what;
	struct past past[4];
	const char *now;
	uint64_t offset, limit;
	bool lost; /* the library has none of the versions */
	enum base_fact base;
	enum newer_fact newer;
	enum change_fact change;
};

/*
 * SPEC 6 to 8 in rows.  change is asked only where the base differs and
 * nothing newer disagrees.
 */
static const struct row rows[] = {
    {"nothing before", {{END, NULL, 0, 0, NULL, NULL}}, A10, 1, 0, false, BASE_NEVER,
	0, 0},
    {"the same file", {DID(SHOWN, A10)}, A10, 1, 0, false, BASE_SAME,
	NEWER_AGREES, 0},
    {"the same file needs no library", {DID(SHOWN, A10)}, A10, 1, 0, true,
	BASE_SAME, NEWER_AGREES, 0},
    {"lines of the same file", {DID(SHOWN, A10)}, A10, 3, 2, false, BASE_SAME,
	NEWER_AGREES, 0},
    {"other lines were shown", {PART(SHOWN, A10, 3, 4)}, A10, 3, 3, false,
	BASE_NEVER, 0, 0},
    {"lines do not make a file", {PART(SHOWN, A10, 1, 9)}, A10, 1, 0, false,
	BASE_NEVER, 0, 0},
    {"another name", {{SHOWN, A10, 0, 0, "/w/b", NULL}}, A10, 1, 0, false, BASE_NEVER,
	0, 0},
    {"a changed file", {DID(SHOWN, LONG("x"))}, LONG("y"), 1, 0, false,
	BASE_DIFFERS, NEWER_AGREES, CHANGE_DIFF_USEFUL},
    {"a diff that is no shorter", {DID(SHOWN, "a\nb\n")}, "c\nd\n", 1, 0, false,
	BASE_DIFFERS, NEWER_AGREES, CHANGE_DIFF_USELESS},
    {"its old version is lost", {DID(SHOWN, LONG("x"))}, LONG("y"), 1, 0, true,
	BASE_DIFFERS, NEWER_AGREES, CHANGE_BASE_MISSING},
    {"changed, but not there", {PART(SHOWN, LONG("x"), 3, 5)}, LONG("y"), 3, 3,
	false, BASE_DIFFERS, NEWER_AGREES, CHANGE_LINES_SAME},
    {"changed there", {PART(SHOWN, LONG("x"), 2, 5)}, LONG("y"), 2, 4, false,
	BASE_DIFFERS, NEWER_AGREES, CHANGE_LINES_DIFFER},
    {"moved by an insertion", {PART(SHOWN, A10, 4, 6)}, "0\n" A10, 4, 3, false,
	BASE_DIFFERS, NEWER_AGREES, CHANGE_LINES_DIFFER},
    {"lines that are no more", {PART(SHOWN, A10, 8, 10)},
	"1\n2\n3\n4\n5\n6\n7\n8", 8, 3, false, BASE_NEVER, 0, 0},
    {"the fresher of two bases",
	{PART(SHOWN, LONG("x"), 2, 3), DID(SHOWN, LONG("y"))}, LONG("y"), 2, 2,
	false, BASE_SAME, NEWER_AGREES, 0},
    {"a diff is a base", {DID(SHOWN, LONG("x")), DID(DIFFED, LONG("y"))},
	LONG("y"), 1, 0, false, BASE_SAME, NEWER_AGREES, 0},
    /* T6 */
    {"changed and back, lines shown between",
	{DID(SHOWN, LONG("x")), PART(SHOWN, LONG("y"), 2, 3)}, LONG("x"), 1, 0,
	false, BASE_SAME, NEWER_DISAGREES, 0},
    {"changed and back, but other lines shown",
	{DID(SHOWN, LONG("x")), PART(SHOWN, LONG("y"), 3, 4)}, LONG("x"), 1, 0,
	false, BASE_SAME, NEWER_AGREES, 0},
    {"the same, but that version is lost",
	{DID(SHOWN, LONG("x")), PART(SHOWN, LONG("y"), 3, 4)}, LONG("x"), 1, 0,
	true, BASE_SAME, NEWER_DISAGREES, 0},
    {"lines beside the ones asked for",
	{PART(SHOWN, LONG("x"), 4, 5), PART(SHOWN, LONG("y"), 2, 3)}, LONG("x"),
	4, 2, true, BASE_SAME, NEWER_AGREES, 0},
    {"another number of lines was told",
	{DID(SHOWN, A10), PART(SHOWN, A10 "more\n", 2, 3)}, A10, 1, 0, false,
	BASE_SAME, NEWER_DISAGREES, 0},
    {"the end was shown elsewhere",
	{PART(SHOWN, A10, 2, 9), PART(SHOWN, "1\n2\n3", 2, 3)}, A10, 2, 8,
	false, BASE_SAME, NEWER_DISAGREES, 0},
    {"another number of lines was told, of which none was asked",
	{PART(SHOWN, A10, 2, 3), PART(SHOWN, A10 "more\n", 5, 6)}, A10, 2, 2,
	false, BASE_SAME, NEWER_AGREES, 0},
    {"a notice about a line beside them",
	{PART(SHOWN, A10, 5, 10), PART(BLIND, NULL, 2, 2)}, A10, 5, 0, false,
	BASE_SAME, NEWER_AGREES, 0},
    {"a notice about one of them",
	{PART(SHOWN, A10, 5, 10), PART(BLIND, NULL, 5, 5)}, A10, 5, 0, false,
	BASE_SAME, NEWER_DISAGREES, 0},
    {"a marker makes nothing newer",
	{DID(SHOWN, LONG("x")), PART(SHOWN, LONG("y"), 2, 3),
	    DID(MARKED, LONG("x"))},
	LONG("x"), 1, 0, false, BASE_SAME, NEWER_DISAGREES, 0},
    {"seen, though no evidence", {DID(SHOWN, LONG("x")), DID(SEEN, LONG("y"))},
	LONG("x"), 1, 0, false, BASE_SAME, NEWER_DISAGREES, 0},
    {"seen, and the same", {DID(SHOWN, LONG("x")), DID(SEEN, LONG("x"))},
	LONG("x"), 1, 0, true, BASE_SAME, NEWER_AGREES, 0},
    {"something else is there now",
	{DID(SHOWN, LONG("x")), DID(VEILED, LONG("x"))}, LONG("x"), 1, 0, false,
	BASE_SAME, NEWER_DISAGREES, 0},
    {"what was before the base does not matter",
	{DID(VEILED, LONG("x")), DID(SEEN, LONG("y")), DID(SHOWN, LONG("x"))},
	LONG("x"), 1, 0, true, BASE_SAME, NEWER_AGREES, 0},
    /* T7, T12 */
    {"refreshed lines", {DID(SHOWN, A10), PART(REFRESHED, NULL, 3, 4)}, A10, 3,
	2, false, BASE_REFRESHED, 0, 0},
    {"only those", {DID(SHOWN, A10), PART(REFRESHED, NULL, 3, 4)}, A10, 3, 3,
	false, BASE_SAME, NEWER_AGREES, 0},
    {"a refreshed file", {DID(SHOWN, A10), DID(REFRESHED, NULL)}, A10, 3, 2,
	false, BASE_NEVER, 0, 0},
    {"shown again since",
	{DID(SHOWN, A10), PART(REFRESHED, NULL, 3, 4), DID(SHOWN, A10)}, A10, 3,
	2, false, BASE_SAME, NEWER_AGREES, 0},
    {"a view of which nothing is known", {DID(SHOWN, A10), DID(BLIND, NULL)},
	A10, 1, 0, false, BASE_NEVER, 0, 0},
};

static void
apply(struct trust *trust, const struct past *past)
{
	struct span text = span_str(past->text != NULL ? past->text : "");
	struct view whole;
	struct event event = {
	    .kind = EVENT_READ,
	    .path = span_str(past->path != NULL ? past->path : "/w/a"),
	    .name = span_str(past->name != NULL ? past->name : "/w/a"),
	    .scope = past->first > 0 ? scope_range(past->first, past->last)
				     : scope_full(),
	    .mode = MODE_FULL,
	    .sealed = true,
	    .served = digest_of(text),
	};

	assert_true(unit_view(text, 1, 0, &whole));
	event.total = whole.total;
	switch (past->kind) {
	case DIFFED: {
		struct trust_base base;

		assert_int_equal(trust_find(trust, event.path, event.name,
				     scope_full(), &base),
		    TRUST_FOUND);
		event.mode = MODE_DIFF;
		event.has_base = true;
		event.base = base.hash;
		break;
	}
	case MARKED:
		event.mode = MODE_UNCHANGED;
		event.has_base = true;
		event.base = event.served;
		break;
	case SEEN:
		event.kind = EVENT_SIGHTING;
		break;
	case VEILED:
		event.kind = EVENT_SIGHTING;
		event.veiled = true;
		break;
	case REFRESHED:
		event.kind = EVENT_INVALIDATE;
		break;
	case BLIND:
		event.kind = EVENT_BLIND;
		break;
	case SHOWN:
	case END:
		break;
	}
	(void)trust_apply(trust, &event);
}

/* All versions that the row speaks of. */
static bool
find_version(void *context, const struct digest *hash, struct piece *piece)
{
	const struct row *row = context;

	for (size_t i = 0; !row->lost && i < COUNT_OF(row->past); i++) {
		struct digest known;

		if (row->past[i].text == NULL)
			continue;
		known = digest_of(span_str(row->past[i].text));
		if (!digest_eq(&known, hash))
			continue;
		*piece = (struct piece){span_str(row->past[i].text), 1};
		return true;
	}
	return false;
}

/* The work that a session may cost is used up, but for LEFT steps. */
enum { ENOUGH = 1 << 20 };

static struct weighed
weigh_limited(struct arena *arena, const struct row *row, uint64_t left)
{
	struct trust *trust = trust_new(arena);
	struct row copy = *row;
	struct library library = {find_version, &copy};
	struct excerpt shown = unit_shown(arena, span_str(row->now), row->offset,
	    row->limit);
	struct question question = {
	    .diff_max_bytes = DIFF_MAX_BYTES,
	    .diff_max_lines = DIFF_MAX_LINES,
	    .path = SPAN("/w/a"),
	    .name = SPAN("/w/a"),
	    .asked = SPAN("a"),
	    .hash = digest_of(span_str(row->now)),
	    .shown = &shown,
	    .now = {span_str(row->now), 1},
	};

	for (size_t i = 0; i < COUNT_OF(row->past); i++)
		if (row->past[i].kind != END)
			apply(trust, &row->past[i]);
	trust_budget(trust)->left = left;
	return weigh(arena, &question, trust, &library);
}

static struct weighed
weigh_row(struct arena *arena, const struct row *row)
{
	return weigh_limited(arena, row, ENOUGH);
}

static void
the_table(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const struct row *row = &rows[i];
		struct weighed found = weigh_row(arena, row);

		CHECK(found.base == row->base, "%s: base %d, not %d", row->what,
		    (int)found.base, (int)row->base);
		CHECK(found.newer == row->newer, "%s: newer %d, not %d",
		    row->what, (int)found.newer, (int)row->newer);
		CHECK(found.change == row->change, "%s: change %d, not %d",
		    row->what, (int)found.change, (int)row->change);
	}
}

static void
the_base_and_the_diff(struct arena *arena)
{
	const struct row row = {
	    "", {DID(SHOWN, LONG("x"))}, LONG("y"), 1, 0, false, 0, 0, 0};
	struct digest old = digest_of(SPAN(LONG("x")));
	struct weighed found = weigh_row(arena, &row);

	assert_true(digest_eq(&found.base_hash, &old));
	assert_int_equal(found.diff.changed, 1);
	assert_non_null(memmem(
	    found.diff.hunks.p, found.diff.hunks.n, "\n-x\n+y\n", 7));
}

/* A library that knows only some lines, as a recorded session does. */
static bool
find_piece(void *context, const struct digest *hash, struct piece *piece)
{
	(void)hash;
	*piece = *(const struct piece *)context;
	return true;
}

/* Of a recorded file there may be a page: the rest of it may be another one. */
static void
nothing_is_known_outside_of_a_page(struct arena *arena)
{
	struct past past = PART(SHOWN, A10, 1, 5);
	struct trust *trust = trust_new(arena);
	struct piece old = {SPAN(A10), 1};
	struct library library = {find_piece, &old};
	struct excerpt shown = unit_shown(arena, SPAN(A10 A10), 1, 5);
	struct question question = {
	    .diff_max_bytes = DIFF_MAX_BYTES,
	    .diff_max_lines = DIFF_MAX_LINES,
	    .path = SPAN("/w/a"),
	    .name = SPAN("/w/a"),
	    .asked = SPAN("a"),
	    .hash = digest_of(SPAN(A10 A10)),
	    .shown = &shown,
	    .now = {SPAN(A10), 1},
	    .policy = POLICY_COVERAGE,
	    .repeat = 100,
	};
	struct weighed found;

	apply(trust, &past);
	found = weigh(arena, &question, trust, &library);
	assert_int_equal(found.cover, COVER_ALL);
	assert_true(found.other_version);
}

static void
pieces_of_versions(struct arena *arena)
{
	static const struct {
		const char *piece;
		uint64_t first;
		enum change_fact change;
	} pieces[] = {
	    {"3\n4\n5", 3, CHANGE_LINES_SAME},
	    {"2\n3\n4\n5\n6", 2, CHANGE_LINES_SAME},
	    {"3\n4", 3, CHANGE_LINES_DIFFER},	 /* too short */
	    {"4\n5\n6", 4, CHANGE_LINES_DIFFER}, /* it begins too late */
	    {"3\nx\n5", 3, CHANGE_LINES_DIFFER},
	    {"", 1, CHANGE_LINES_DIFFER},
	};

	for (size_t i = 0; i < COUNT_OF(pieces); i++) {
		struct past past = PART(SHOWN, A10 "old", 3, 5);
		struct trust *trust = trust_new(arena);
		struct piece piece = {
		    span_str(pieces[i].piece), pieces[i].first};
		struct library library = {find_piece, &piece};
		struct excerpt shown = unit_shown(arena, SPAN(A10), 3, 3);
		struct question question = {
		    .diff_max_bytes = DIFF_MAX_BYTES,
		    .diff_max_lines = DIFF_MAX_LINES,
		    .path = SPAN("/w/a"),
		    .name = SPAN("/w/a"),
		    .asked = SPAN("a"),
		    .hash = digest_of(SPAN(A10)),
		    .shown = &shown,
		    .now = {SPAN("3\n4\n5"), 3}, /* no more than was asked */
		};
		struct weighed found;

		apply(trust, &past);
		found = weigh(arena, &question, trust, &library);
		CHECK(found.change == pieces[i].change, "row %zu: %d", i,
		    (int)found.change);
	}
}

/* ---- coverage: SPEC 16 ---- */

#define X10 "1\n2\n3\n4\n5\n6\n7\nx\n9\n" /* another line 8 */
#define Y10 "1\n2\n3\n4\ny\n6\n7\n8\n9\n" /* another line 5 */

/* Whether lines are covered, and by which version. */
static const struct cover_row {
	const char *what;
	struct past past[3];
	uint64_t offset, limit;
	enum cover_fact cover;
	const char *base;
} cover_rows[] = {
    {"two parts", {PART(SHOWN, A10, 4, 5), PART(SHOWN, A10, 1, 3)}, 3, 3,
	COVER_ALL, A10},
    {"a newer view told that there is no such line",
	{PART(SHOWN, A10, 5, 7), PART(SHOWN, "1\n2\n3\n4", 1, 4)}, 1, 7,
	COVER_NONE, NULL},
    {"another version that has all of them, seen up to the first",
	{PART(SHOWN, A10, 4, 5), PART(SHOWN, X10, 1, 3)}, 3, 3, COVER_ALL,
	X10},
    {"another version that has them not",
	{PART(SHOWN, A10, 4, 5), PART(SHOWN, Y10, 1, 3)}, 3, 3, COVER_ALL,
	A10},
    {"of another file, to which the name led",
	{{SHOWN, A10, 4, 5, NULL, "/w/b"}, PART(SHOWN, A10, 1, 3)}, 3, 3,
	COVER_NONE, NULL},
};

static struct weighed
weigh_covered(struct arena *arena, const struct cover_row *row, uint64_t left)
{
	struct row past = {.now = A10};
	struct trust *trust = trust_new(arena);
	struct library library = {find_version, &past};
	struct excerpt shown = unit_shown(arena, SPAN(A10), row->offset, row->limit);
	struct question question = {
	    .policy = POLICY_COVERAGE,
	    .repeat = 100,
	    .diff_max_bytes = DIFF_MAX_BYTES,
	    .diff_max_lines = DIFF_MAX_LINES,
	    .path = SPAN("/w/a"),
	    .name = SPAN("/w/a"),
	    .asked = SPAN("a"),
	    .hash = digest_of(SPAN(A10)),
	    .shown = &shown,
	    .now = {SPAN(A10), 1},
	};

	for (size_t i = 0; i < COUNT_OF(row->past); i++) {
		past.past[i] = row->past[i];
		if (row->past[i].kind != END)
			apply(trust, &row->past[i]);
	}
	trust_budget(trust)->left = left;
	return weigh(arena, &question, trust, &library);
}

static void
what_covers_lines(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(cover_rows); i++) {
		const struct cover_row *row = &cover_rows[i];
		struct weighed found = weigh_covered(arena, row, ENOUGH);
		struct digest base;

		CHECK(found.cover == row->cover, "%s: %d", row->what,
		    (int)found.cover);
		if (row->base == NULL)
			continue;
		base = digest_of(span_str(row->base));
		CHECK(digest_eq(&found.base_hash, &base), "%s: another base",
		    row->what);
	}
}

/* Could the answer be a marker or a diff? */
static bool
is_compact(const struct weighed *found)
{
	bool strict = found->base == BASE_SAME ||
	    (found->base == BASE_DIFFERS &&
		(found->change == CHANGE_LINES_SAME ||
		    found->change == CHANGE_DIFF_USEFUL));

	return found->cover == COVER_ALL ||
	    (strict && found->newer == NEWER_AGREES);
}

/*
 * F5: who has made a session so that it costs more than it may gets the text.
 * With less work allowed nothing is compact that was not before, and with
 * none nothing is.
 */
static void
less_work_proves_no_more(struct arena *arena)
{
	for (uint64_t left = 0; left < 128; left++) {
		for (size_t i = 0; i < COUNT_OF(rows); i++) {
			struct weighed all = weigh_row(arena, &rows[i]);
			struct weighed some =
			    weigh_limited(arena, &rows[i], left);

			CHECK(!is_compact(&some) ||
				(left > 0 && is_compact(&all)),
			    "%s, with %d", rows[i].what, (int)left);
		}
		for (size_t i = 0; i < COUNT_OF(cover_rows); i++) {
			const struct cover_row *row = &cover_rows[i];
			struct weighed all = weigh_covered(arena, row, ENOUGH);
			struct weighed some = weigh_covered(arena, row, left);

			CHECK(!is_compact(&some) ||
				(left > 0 && is_compact(&all)),
			    "%s, with %d", row->what, (int)left);
		}
	}
}

/* LIMIT lines of NOW from OFFSET on, by what PAST showed and PIECE knows. */
static struct weighed
weigh_by_piece(struct arena *arena, const struct past past[2], const char *now,
    uint64_t offset, uint64_t limit, struct piece piece, struct piece read)
{
	struct trust *trust = trust_new(arena);
	struct library library = {find_piece, &piece};
	struct excerpt shown = unit_shown(arena, span_str(now), offset, limit);
	struct question question = {
	    .policy = POLICY_COVERAGE,
	    .repeat = 100,
	    .path = SPAN("/w/a"),
	    .name = SPAN("/w/a"),
	    .asked = SPAN("a"),
	    .hash = digest_of(span_str(now)),
	    .shown = &shown,
	    .now = read,
	};

	for (size_t i = 0; i < 2 && past[i].kind != END; i++)
		apply(trust, &past[i]);
	return weigh(arena, &question, trust, &library);
}

/* Of a version of which only the lines are known, no more is known. */
static void
covered_by_pieces(struct arena *arena)
{
	const struct past past[2] = {PART(SHOWN, A10 "old", 3, 5)};
	struct weighed found =
	    weigh_by_piece(arena, past, A10, 3, 3, (struct piece){SPAN("3\n4\n5"), 3},
		(struct piece){SPAN("3\n4\n5"), 3});

	assert_int_equal(found.cover, COVER_ALL);
	assert_true(found.other_version);
}

/* What is known of it reads like the whole file, but it begins two lines on. */
static void
a_piece_is_not_the_file(struct arena *arena)
{
#define X8 "x\nx\nx\nx\nx\nx\nx\nx"
	const struct past past[2] = {PART(SHOWN, "x\nx\n" X8, 3, 5)};
	struct weighed found = weigh_by_piece(arena, past, X8, 3, 3,
	    (struct piece){SPAN(X8), 3}, (struct piece){SPAN(X8), 1});

	assert_int_equal(found.cover, COVER_ALL);
	assert_true(found.other_version);
}

/* A line that is not in it is not an empty one. */
static void
a_piece_that_begins_too_late_shows_nothing(struct arena *arena)
{
	static const char text[] = "1\n2\n\n4\n";
	const struct past past[2] = {PART(SHOWN, "1\n2\n\n4\nold\n", 3, 3)};
	struct weighed found = weigh_by_piece(arena, past, text, 3, 1,
	    (struct piece){SPAN("4"), 4}, (struct piece){span_str(text), 1});

	assert_int_equal(found.cover, COVER_NONE);
}

/* Says no, but leaves there what it has, as a store with a damaged object. */
static bool
find_damaged(void *context, const struct digest *hash, struct piece *piece)
{
	(void)find_piece(context, hash, piece);
	return false;
}

/*
 * A file that was shown page by page, and of which one line is another now:
 * its first page, by what LOAD finds of the old version.
 */
static struct weighed
weigh_pages(struct arena *arena, library_load *load)
{
	enum { LINES = 3000, PAGE = 2000 };
	struct span line = SPAN("a line of a file that is read by pages\n");
	struct span rest = unit_repeat(arena, line, LINES - 1);
	struct span old = unit_join(arena, SPAN("old\n"), rest);
	struct span now = unit_join(arena, SPAN("new\n"), rest);
	struct piece piece = {old, 1};
	struct library library = {load, &piece};
	struct excerpt shown = unit_shown(arena, now, 1, 0);
	struct trust *trust = trust_new(arena);
	const char *text = arena_cstr(arena, old);
	struct past pages[] = {
	    PART(SHOWN, text, 1, PAGE), PART(SHOWN, text, PAGE + 1, LINES + 1)};
	struct question question = {
	    .policy = POLICY_COVERAGE,
	    .repeat = 100,
	    .diff_max_bytes = DIFF_MAX_BYTES,
	    .diff_max_lines = DIFF_MAX_LINES,
	    .path = SPAN("/w/a"),
	    .name = SPAN("/w/a"),
	    .asked = SPAN("a"),
	    .hash = digest_of(now),
	    .shown = &shown,
	    .now = {now, 1},
	};

	for (size_t i = 0; i < COUNT_OF(pages); i++)
		apply(trust, &pages[i]);
	assert_true(shown.cut);
	return weigh(arena, &question, trust, &library);
}

static void
pages_of_a_lost_version_are_not_compared(struct arena *arena)
{
	struct weighed found = weigh_pages(arena, find_piece);

	assert_int_equal(found.change, CHANGE_DIFF_USEFUL);
	assert_true(is_compact(&found));
	found = weigh_pages(arena, find_damaged);
	assert_int_not_equal(found.change, CHANGE_DIFF_USEFUL);
	assert_false(is_compact(&found));
}

/* ---- T10 ---- */

static bool applies = true;

bool __real_diff_applies(struct span hunks, struct span old, struct span new);
bool __wrap_diff_applies(struct span hunks, struct span old, struct span new);

bool
__wrap_diff_applies(struct span hunks, struct span old, struct span new)
{
	return applies && __real_diff_applies(hunks, old, new);
}

/* Whatever is wrong with it, a diff that does not apply is no answer. */
static void
a_diff_must_apply(struct arena *arena)
{
	const struct row row = {
	    "", {DID(SHOWN, LONG("x"))}, LONG("y"), 1, 0, false, 0, 0, 0};

	applies = false;
	assert_int_equal(weigh_row(arena, &row).change, CHANGE_DIFF_FAILED);
	applies = true;
	assert_int_equal(weigh_row(arena, &row).change, CHANGE_DIFF_USEFUL);
}

/* ---- large files ---- */

static const char *large_old;

static bool
find_large(void *context, const struct digest *hash, struct piece *piece)
{
	(void)context, (void)hash;
	*piece = (struct piece){span_str(large_old), 1};
	return true;
}

/* Neither version may be larger than what is compared at all. */
static void
both_versions_have_a_limit(struct arena *arena)
{
	static const char small[] = LONG("x"), large[] = LONG("x") "1\n2\n3\n4\n";
	static const struct {
		const char *before, *now;
		uint64_t bytes, lines;
		enum change_fact change;
	} limits[] = {
	    {small, large, sizeof(large), 20, CHANGE_DIFF_USEFUL},
	    {large, small, sizeof(large), 20, CHANGE_DIFF_USEFUL},
	    {small, large, sizeof(large) - 2, 20, CHANGE_DIFF_USELESS},
	    {large, small, sizeof(large) - 2, 20, CHANGE_DIFF_USELESS},
	    {small, large, sizeof(large), 12, CHANGE_DIFF_USELESS},
	    {large, small, sizeof(large), 12, CHANGE_DIFF_USELESS},
	};

	for (size_t i = 0; i < COUNT_OF(limits); i++) {
		struct span now = span_str(limits[i].now);
		struct past past = DID(SHOWN, limits[i].before);
		struct trust *trust = trust_new(arena);
		struct library library = {find_large, NULL};
		struct excerpt shown = unit_shown(arena, now, 1, 0);
		struct question question = {
		    .diff_max_bytes = limits[i].bytes,
		    .diff_max_lines = limits[i].lines,
		    .path = SPAN("/w/a"),
		    .name = SPAN("/w/a"),
		    .asked = SPAN("a"),
		    .hash = digest_of(now),
		    .shown = &shown,
		    .now = {now, 1},
		};
		struct weighed found;

		large_old = limits[i].before;
		apply(trust, &past);
		found = weigh(arena, &question, trust, &library);
		CHECK(found.change == limits[i].change, "row %zu: %d", i,
		    (int)found.change);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(the_table),
	    TEST(what_covers_lines),
	    TEST(covered_by_pieces),
	    TEST(a_piece_is_not_the_file),
	    TEST(a_piece_that_begins_too_late_shows_nothing),
	    TEST(less_work_proves_no_more),
	    TEST(pages_of_a_lost_version_are_not_compared),
	    TEST(a_diff_must_apply),
	    TEST(both_versions_have_a_limit),
	    TEST(the_base_and_the_diff),
	    TEST(nothing_is_known_outside_of_a_page),
	    TEST(pieces_of_versions),
	};

	return RUN_TESTS(tests);
}
