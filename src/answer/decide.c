#include "answer/decide.h"

static const char *const bar_reasons[BAR_FACTS] = {
	[BAR_NESTED] = "nested",
	[BAR_EXCLUDED] = "excluded",
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

static struct verdict
fallback(const char *reason)
{
	return (struct verdict){MODE_FALLBACK, reason};
}

struct verdict
decide(struct evidence ev)
{
	bool range = ev.scope == SCOPE_RANGE;

	if (ev.bar != BAR_NONE)
		return (struct verdict){MODE_PLAIN, bar_reasons[ev.bar]};
	if (ev.base != BASE_SAME && ev.base != BASE_DIFFERS)
		return (struct verdict){MODE_FULL, none_reasons[ev.base]};
	if (ev.newer != NEWER_AGREES)
		return fallback("newer_view");
	if (ev.base == BASE_SAME)
		return (struct verdict){
		    range ? MODE_UNCHANGED_RANGE : MODE_UNCHANGED,
		    "same_file"};
	if (ev.change == CHANGE_LINES_SAME && range)
		return (struct verdict){MODE_UNCHANGED_RANGE, "same_lines"};
	if (ev.change == CHANGE_DIFF_USEFUL && !range)
		return (struct verdict){MODE_DIFF, "changed"};
	if (ev.change == CHANGE_BASE_MISSING)
		return fallback("base_missing");
	if (ev.change == CHANGE_LINES_DIFFER)
		return fallback("lines_changed");
	if (ev.change == CHANGE_DIFF_USELESS)
		return fallback("diff_not_useful");
	return fallback("diff_failed");
}
