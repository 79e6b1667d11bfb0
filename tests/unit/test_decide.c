#include "unit.h"

#include "answer/decide.h"

#define ANY (-1)

/* A row of SPEC 7; the first one that fits counts. */
struct row {
	int bar, scope, base, newer, change;
	enum mode mode;
	const char *reason; /* NULL: the table does not say */
};

static const struct row rows[] = {
	/* "A read that may carry no metadata has mode plain" */
	{BAR_NESTED, ANY, ANY, ANY, ANY, MODE_PLAIN, "nested"},
	{BAR_EXCLUDED, ANY, ANY, ANY, ANY, MODE_PLAIN, "excluded"},
	{BAR_NO_LINE, ANY, ANY, ANY, ANY, MODE_PLAIN, "no_line_shown"},
	{BAR_SETTINGS, ANY, ANY, ANY, ANY, MODE_PLAIN, "settings_unread"},
	{BAR_NO_KEY, ANY, ANY, ANY, ANY, MODE_PLAIN, "no_key"},
	/* base: none */
	{ANY, ANY, BASE_NEVER, ANY, ANY, MODE_FULL, "first_read"},
	{ANY, ANY, BASE_NO_SESSION, ANY, ANY, MODE_FULL, "no_session"},
	{ANY, ANY, BASE_NO_BRANCH, ANY, ANY, MODE_FULL, "no_branch"},
	{ANY, ANY, BASE_REFRESHED, ANY, ANY, MODE_FULL, "refreshed"},
	{ANY, ANY, BASE_MOVED, ANY, ANY, MODE_FULL, "moved"},
	{ANY, ANY, BASE_BYPASSED, ANY, ANY, MODE_FULL, "bypass"},
	/* any base: a newer view disagrees */
	{ANY, ANY, ANY, NEWER_DISAGREES, ANY, MODE_FALLBACK, "newer_view"},
	/* has the file's hash */
	{ANY, SCOPE_FULL, BASE_SAME, ANY, ANY, MODE_UNCHANGED, "same_file"},
	{ANY, SCOPE_RANGE, BASE_SAME, ANY, ANY, MODE_UNCHANGED_RANGE,
	    "same_file"},
	/* another hash */
	{ANY, ANY, BASE_DIFFERS, ANY, CHANGE_BASE_MISSING, MODE_FALLBACK,
	    "base_missing"},
	{ANY, SCOPE_RANGE, BASE_DIFFERS, ANY, CHANGE_LINES_SAME,
	    MODE_UNCHANGED_RANGE, "same_lines"},
	{ANY, SCOPE_RANGE, BASE_DIFFERS, ANY, CHANGE_LINES_DIFFER,
	    MODE_FALLBACK, "lines_changed"},
	{ANY, SCOPE_FULL, BASE_DIFFERS, ANY, CHANGE_DIFF_USEFUL, MODE_DIFF,
	    "changed"},
	{ANY, SCOPE_FULL, BASE_DIFFERS, ANY, CHANGE_DIFF_USELESS,
	    MODE_FALLBACK, "diff_not_useful"},
	{ANY, SCOPE_FULL, BASE_DIFFERS, ANY, CHANGE_DIFF_FAILED,
	    MODE_FALLBACK, "diff_failed"},
	/* What cannot be: in any doubt the text. */
	{ANY, ANY, BASE_DIFFERS, ANY, ANY, MODE_FALLBACK, NULL},
};

/* The reasons that SPEC 7 names for a mode. */
static const struct {
	enum mode mode;
	const char *reasons[7];
} named[] = {
	{MODE_PLAIN, {"nested", "excluded", "settings_unread", "no_line_shown",
			 "no_key"}},
	{MODE_FULL,
	    {"first_read", "no_session", "no_branch", "refreshed", "moved",
		"bypass"}},
	{MODE_UNCHANGED, {"same_file"}},
	{MODE_UNCHANGED_RANGE, {"same_file", "same_lines"}},
	{MODE_DIFF, {"changed"}},
	{MODE_FALLBACK,
	    {"base_missing", "lines_changed", "diff_not_useful",
		"diff_failed", "newer_view"}},
};

static bool
is_named(struct decided verdict)
{
	for (size_t i = 0; i < COUNT_OF(named); i++) {
		if (named[i].mode != verdict.mode)
			continue;
		for (size_t k = 0; k < COUNT_OF(named[i].reasons); k++)
			if (named[i].reasons[k] != NULL &&
			    strcmp(named[i].reasons[k], verdict.reason) == 0)
				return true;
	}
	return false;
}

static bool
fits(int wanted, int actual)
{
	return wanted == ANY || wanted == actual;
}

static const struct row *
find_row(struct evidence ev)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const struct row *row = &rows[i];

		if (fits(row->bar, (int)ev.bar) &&
		    fits(row->scope, (int)ev.scope) &&
		    fits(row->base, (int)ev.base) &&
		    fits(row->newer, (int)ev.newer) &&
		    fits(row->change, (int)ev.change))
			return row;
	}
	unit_fail(__FILE__, __LINE__, "the table has a hole");
	return NULL;
}

static void
for_all(void (*check)(struct evidence ev, struct decided verdict))
{
	size_t seen = 0;

	for (int bar = 0; bar < BAR_FACTS; bar++)
	for (int scope = 0; scope < SCOPE_KINDS; scope++)
	for (int base = 0; base < BASE_FACTS; base++)
	for (int newer = 0; newer < NEWER_FACTS; newer++)
	for (int change = 0; change < CHANGE_FACTS; change++) {
		struct evidence ev = {(enum bar_fact)bar,
		    (enum scope_kind)scope, (enum base_fact)base,
		    (enum newer_fact)newer, (enum change_fact)change,
		    COVER_NOT_ASKED, PAUSE_NONE, BESIDE_NOTHING,
		    MARKER_SAVES, PIECE_NONE};

		check(ev, decide(ev));
		seen++;
	}
	assert_int_equal(seen, 6 * 2 * 8 * 2 * 7);
}

static void
check_row(struct evidence ev, struct decided verdict)
{
	const struct row *row = find_row(ev);

	CHECK(verdict.reason != NULL, "no reason");
	CHECK(verdict.mode == row->mode &&
		(row->reason == NULL ||
		    strcmp(verdict.reason, row->reason) == 0),
	    "bar %d scope %d base %d newer %d change %d: %s, %s", ev.bar,
	    ev.scope, ev.base, ev.newer, ev.change, mode_name(verdict.mode),
	    verdict.reason);
	CHECK(is_named(verdict), "%s has no reason %s",
	    mode_name(verdict.mode), verdict.reason);
}

static void
every_combination(struct arena *arena)
{
	(void)arena;
	for_all(check_row);
}

/* The table once more, from its other side: when may an answer be compact? */
static void
check_compact(struct evidence ev, struct decided verdict)
{
	bool usable = ev.bar == BAR_NONE && ev.newer == NEWER_AGREES &&
	    (ev.base == BASE_SAME || ev.base == BASE_DIFFERS);
	bool range = ev.scope == SCOPE_RANGE, differs = ev.base != BASE_SAME;

	switch (verdict.mode) {
	case MODE_UNCHANGED:
		assert_true(usable && !differs && !range);
		break;
	case MODE_UNCHANGED_RANGE:
		assert_true(usable && range);
		assert_true(!differs || ev.change == CHANGE_LINES_SAME);
		break;
	case MODE_DIFF:
		assert_true(usable && differs && !range);
		assert_true(ev.change == CHANGE_DIFF_USEFUL);
		break;
	case MODE_PLAIN:
		assert_true(ev.bar != BAR_NONE);
		break;
	case MODE_FULL:
	case MODE_FALLBACK:
		assert_true(ev.bar == BAR_NONE);
		break;
	case MODE_COUNT:
		unit_fail(__FILE__, __LINE__, "that is no mode");
	}
}

static void
compact_only_when_proven(struct arena *arena)
{
	(void)arena;
	for_all(check_compact);
}

/* ---- SPEC 16: coverage ---- */

static bool
is_compact(struct decided verdict)
{
	return verdict.mode == MODE_UNCHANGED || verdict.mode == MODE_DIFF ||
	    verdict.mode == MODE_UNCHANGED_RANGE;
}

static struct decided
plain(enum mode mode, const char *reason)
{
	return (struct decided){mode, reason, false};
}

/* What coverage makes of STRICT, the answer of the strict rule. */
static struct decided
with_cover(struct evidence ev, struct decided strict)
{
	struct decided verdict = strict;

	if (ev.bar != BAR_NONE)
		return strict;
	if (ev.cover == COVER_VOID)
		return plain(MODE_FULL, "refreshed");
	if (ev.cover == COVER_ALL)
		verdict = plain(ev.scope == SCOPE_RANGE ? MODE_UNCHANGED_RANGE
							: MODE_UNCHANGED,
		    "covered");
	if (is_compact(verdict) && ev.pause == PAUSE_REPEAT)
		return plain(MODE_FALLBACK, "repeat");
	if (is_compact(verdict) && ev.pause == PAUSE_FAILED_EDIT)
		return plain(MODE_FALLBACK, "failed_edit");
	if (is_compact(verdict) && verdict.mode != MODE_DIFF &&
	    ev.pause == PAUSE_OWN_EDIT)
		return plain(MODE_FALLBACK, "own_edit");
	if (is_compact(verdict) && ev.pause == PAUSE_OWN_UNDONE)
		return plain(MODE_FALLBACK, "own_edit");
	return verdict;
}

static void
check_cover(struct evidence ev, struct decided strict)
{
	for (int cover = 0; cover < COVER_FACTS; cover++)
	for (int pause = 0; pause < PAUSE_FACTS; pause++) {
		struct decided expected, verdict;

		ev.cover = (enum cover_fact)cover;
		ev.pause = (enum pause_fact)pause;
		expected = with_cover(ev, strict);
		verdict = decide(ev);
		CHECK(verdict.mode == expected.mode &&
			strcmp(verdict.reason, expected.reason) == 0,
		    "cover %d pause %d behind %s: %s, %s", cover, pause,
		    strict.reason, mode_name(verdict.mode), verdict.reason);
	}
}

static void
every_cover_and_pause(struct arena *arena)
{
	(void)arena;
	for_all(check_cover);
}

/*
 * Lines that were followed back are answered by pieces, if coverage was asked
 * for, none of them must be seen again, and nothing else speaks against it.
 */
static void
check_pieces(struct evidence ev, struct decided strict)
{
	for (int cover = 0; cover < COVER_FACTS; cover++)
	for (int pause = 0; pause < PAUSE_FACTS; pause++)
	for (int beside = 0; beside < BESIDE_FACTS; beside++)
	for (int piece = PIECE_OWN; piece < PIECE_FACTS; piece++) {
		bool may = ev.bar == BAR_NONE && cover != COVER_NOT_ASKED &&
		    cover != COVER_VOID && beside == BESIDE_NOTHING &&
		    pause != PAUSE_REPEAT && pause != PAUSE_FAILED_EDIT;
		struct decided verdict;

		ev.cover = (enum cover_fact)cover;
		ev.pause = (enum pause_fact)pause;
		ev.beside = (enum beside_fact)beside;
		ev.piece = (enum piece_fact)piece;
		verdict = decide(ev);
		CHECK(verdict.pieced == may, "cover %d pause %d after %s: %s",
		    cover, pause, strict.reason, verdict.reason);
		if (!may)
			continue;
		assert_int_equal(verdict.mode, ev.scope == SCOPE_RANGE
			? MODE_UNCHANGED_RANGE
			: MODE_DIFF);
		assert_string_equal(verdict.reason,
		    piece == PIECE_OWN ? "own_text" : "pieces");
	}
}

static void
every_piece(struct arena *arena)
{
	(void)arena;
	for_all(check_pieces);
}

/* T14: beside what may change the file, what would be compact is the text. */
static void
check_beside(struct evidence ev, struct decided strict)
{
	struct decided verdict;

	for (int cover = 0; cover < COVER_FACTS; cover++)
	for (int pause = 0; pause < PAUSE_FACTS; pause++)
	for (int marker = 0; marker < MARKER_FACTS; marker++) {
		ev.cover = (enum cover_fact)cover;
		ev.pause = (enum pause_fact)pause;
		ev.marker = (enum marker_fact)marker;
		ev.beside = BESIDE_UNKNOWN;
		verdict = decide(ev);
		assert_false(is_compact(verdict));
		if (is_compact(with_cover(ev, strict)))
			assert_string_equal(verdict.reason, "sibling");
	}
}

/* No marker that is not shorter than its text; a diff is weighed elsewhere. */
static void
check_marker(struct evidence ev, struct decided strict)
{
	struct decided verdict;

	ev.marker = MARKER_COSTS;
	verdict = decide(ev);
	if (is_compact(strict) && strict.mode != MODE_DIFF) {
		assert_int_equal(verdict.mode, MODE_FALLBACK);
		assert_string_equal(verdict.reason, "marker_not_smaller");
	} else {
		assert_int_equal(verdict.mode, strict.mode);
		assert_string_equal(verdict.reason, strict.reason);
	}
}

static void
every_sibling_and_marker(struct arena *arena)
{
	(void)arena;
	for_all(check_beside);
	for_all(check_marker);
}

/* A read without session or branch, or with a bypass, asks for no cover. */
static void
cover_is_not_asked_by_default(struct arena *arena)
{
	struct evidence ev = {.bar = BAR_NONE};

	(void)arena;
	assert_int_equal(ev.cover, COVER_NOT_ASKED);
	assert_int_equal(ev.pause, PAUSE_NONE);
}

/* Facts that nobody looked at must not count: they are all zero. */
static void
nothing_known_is_a_first_read(struct arena *arena)
{
	struct decided verdict = decide((struct evidence){.bar = BAR_NONE});

	(void)arena;
	assert_int_equal(verdict.mode, MODE_FULL);
	assert_string_equal(verdict.reason, "first_read");
}

static void
mode_names(struct arena *arena)
{
	static const char *const names[MODE_COUNT] = {"full", "unchanged",
		"unchanged_range", "diff", "baseline_fallback", "plain"};
	static const struct span wrong[] = {LIT(""), LIT("Full"),
		LIT("plain"), LIT("full "), LIT("unchanged_"), LIT("full\0")};
	enum mode mode;

	(void)arena;
	for (int m = 0; m < MODE_COUNT; m++) {
		assert_string_equal(mode_name((enum mode)m), names[m]);
		if (m == MODE_PLAIN)
			continue;
		assert_true(mode_parse(span_str(names[m]), &mode));
		assert_int_equal(mode, m);
	}
	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		CHECK(!mode_parse(wrong[i], &mode), "\"%s\"", wrong[i].p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_combination),
		TEST(compact_only_when_proven),
		TEST(every_cover_and_pause),
		TEST(every_piece),
		TEST(every_sibling_and_marker),
		TEST(cover_is_not_asked_by_default),
		TEST(nothing_known_is_a_first_read),
		TEST(mode_names),
	};

	return RUN_TESTS(tests);
}
