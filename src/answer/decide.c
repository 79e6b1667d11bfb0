#include "answer/decide.h"

static const char *const bar_reasons[BAR_FACTS] = {
	[BAR_NESTED] = "nested",
	[BAR_EXCLUDED] = "excluded",
	[BAR_SETTINGS] = "settings_unread",
	[BAR_NO_LINE] = "no_line_shown",
	[BAR_NO_KEY] = "no_key",
};

static const char *const none_reasons[BASE_FACTS] = {
	[BASE_NEVER] = "first_read",
	[BASE_NO_SESSION] = "no_session",
	[BASE_NO_BRANCH] = "no_branch",
	[BASE_REFRESHED] = "refreshed",
	[BASE_MOVED] = "moved",
	[BASE_BYPASSED] = "bypass",
};

static struct decided
plain(enum mode mode, const char *reason)
{
	return (struct decided){.mode = mode, .reason = reason};
}

static struct decided
fallback(const char *reason)
{
	return plain(MODE_FALLBACK, reason);
}

/* Policy strict: SPEC 6 to 8. */
static struct decided
decide_strict(struct evidence ev)
{
	bool range = ev.scope == SCOPE_RANGE;

	if (ev.base != BASE_SAME && ev.base != BASE_DIFFERS)
		return plain(MODE_FULL, none_reasons[ev.base]);
	if (ev.newer != NEWER_AGREES)
		return fallback("newer_view");
	if (ev.base == BASE_SAME)
		return plain(range ? MODE_UNCHANGED_RANGE : MODE_UNCHANGED,
		    "same_file");
	if (ev.change == CHANGE_LINES_SAME && range)
		return plain(MODE_UNCHANGED_RANGE, "same_lines");
	if (ev.change == CHANGE_DIFF_USEFUL && !range)
		return plain(MODE_DIFF, "changed");
	if (ev.change == CHANGE_BASE_MISSING)
		return fallback("base_missing");
	if (ev.change == CHANGE_LINES_DIFFER)
		return fallback("lines_changed");
	if (ev.change == CHANGE_DIFF_USELESS)
		return fallback("diff_not_useful");
	return fallback("diff_failed");
}

/*
 * Policy coverage: if every line was shown and none refreshed since, it is
 * unchanged.  If not, its lines may have been followed back.  Otherwise as
 * under policy strict.
 */
static struct decided
decide_coverage(struct evidence ev)
{
	bool range = ev.scope == SCOPE_RANGE;

	if (ev.piece != PIECE_NONE && ev.cover != COVER_VOID &&
	    ev.cover != COVER_NOT_ASKED)
		return (struct decided){
		    .mode = range ? MODE_UNCHANGED_RANGE : MODE_DIFF,
		    .reason = ev.piece == PIECE_OWN ? "own_text" : "pieces",
		    .pieced = true,
		};
	switch (ev.cover) {
	case COVER_ALL:
		return plain(
		    range ? MODE_UNCHANGED_RANGE : MODE_UNCHANGED, "covered");
	case COVER_VOID:
		return plain(MODE_FULL, "refreshed");
	case COVER_NOT_ASKED:
	case COVER_NONE:
	case COVER_FACTS:
		break;
	}
	return decide_strict(ev);
}

struct decided
decide(struct evidence ev)
{
	struct decided verdict;

	if (ev.bar != BAR_NONE)
		return plain(MODE_PLAIN, bar_reasons[ev.bar]);
	verdict = decide_coverage(ev);
	if (verdict.mode == MODE_FULL || verdict.mode == MODE_FALLBACK)
		return verdict;
	if (ev.beside != BESIDE_NOTHING)
		return fallback("sibling");
	if (ev.marker != MARKER_SAVES && verdict.mode != MODE_DIFF &&
	    !verdict.pieced)
		return fallback("marker_not_smaller");
	switch (ev.pause) {
	case PAUSE_OWN_EDIT:
		/* A diff shows what the edit did, and pieces say it. */
		return verdict.mode == MODE_DIFF || verdict.pieced
			   ? verdict
			   : fallback("own_edit");
	case PAUSE_OWN_UNDONE:
		return verdict.pieced ? verdict : fallback("own_edit");
	case PAUSE_REPEAT:
		return fallback("repeat");
	case PAUSE_FAILED_EDIT:
		return fallback("failed_edit");
	case PAUSE_NONE:
	case PAUSE_FACTS:
		break;
	}
	return verdict;
}
