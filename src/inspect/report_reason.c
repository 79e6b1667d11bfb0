#include "inspect/report_reason.h"

/* Arrays of characters, not pointers: no relocations at start-up. */
static const struct {
	char name[20];
	char title[24];
	char text[120];
} words[REASON_COUNT] = {
	[REASON_NONE] = {"none", "compact", "The answer was compact."},
	[REASON_FIRST_READ] = {"first_read", "first read",
	    "The branch had not shown this file before."},
	[REASON_OTHER_LINES] = {"other_lines", "other lines",
	    "Only other lines of the file were known."},
	[REASON_AFTER_COMPACTION] = {"after_compaction", "after a compaction",
	    "It was read before a compaction, and nothing from before one is "
	    "relied on."},
	[REASON_REFRESHED] = {"refreshed", "refreshed",
	    "Somebody asked for the text anew."},
	[REASON_CHANGED] = {"changed", "changed too much",
	    "A diff would not have been shorter, or the old version was not "
	    "in the store."},
	[REASON_LINES_CHANGED] = {"lines_changed", "these lines changed",
	    "Of ranges there are no diffs; or the old version was not in the "
	    "store."},
	[REASON_NEWER_VIEW] = {"newer_view", "newer view disagrees",
	    "A later answer had shown the file otherwise."},
	[REASON_REPEAT] = {"repeat", "asked again and again",
	    "The same marker had been given several times in a row."},
	[REASON_FAILED_EDIT] = {"failed_edit", "after a refused edit",
	    "The model's edit did not fit the file, so it was shown the "
	    "text again."},
	[REASON_OWN_EDIT] = {"own_edit", "after its own edit",
	    "The model had changed the file since it saw these lines, and "
	    "\"unchanged\" could be taken to mean its edit."},
	[REASON_OTHER_NAME] = {"other_name", "another name",
	    "The file was known under another name only."},
	[REASON_MOVED] = {"moved", "name led elsewhere",
	    "The name last led to another file."},
	[REASON_EVIDENCE_LOST] = {"evidence_lost", "earlier text gone",
	    "Its earlier answer was edited away, altered, overlaid by one of "
	    "unknown content, or lost (T15)."},
	[REASON_SAME_BATCH] = {"same_batch", "same message",
	    "Reads asked for in one message run beside each other."},
	[REASON_SIBLING] = {"sibling", "beside a command",
	    "A shell or an unknown tool, which may change the file, was "
	    "called in the same message."},
	[REASON_MARKER_NOT_SMALLER] = {"marker_not_smaller", "a short text",
	    "A marker would not have been shorter than the text."},
	[REASON_EXCLUDED] = {"excluded", "excluded file",
	    "Files that may hold secrets are never cached."},
	[REASON_NO_TEXT] = {"no_text", "no text",
	    "An image, or an answer that is not one text."},
	[REASON_NOT_BY_READCACHE] = {"not_by_readcache", "not by readcache",
	    "Recorded without readcache's metadata."},
	[REASON_UNKNOWN] = {"unknown", "unknown",
	    "The session does not tell."},
};

const char *
report_reason_name(enum report_reason reason)
{
	return words[reason].name;
}

const char *
report_reason_title(enum report_reason reason)
{
	return words[reason].title;
}

const char *
report_reason_text(enum report_reason reason)
{
	return words[reason].text;
}

/* There was no base: why not? */
static enum report_reason
reason_never(const struct report_facts *facts)
{
	if (facts->known_so)
		return REASON_OTHER_LINES;
	if (facts->known_other)
		return REASON_OTHER_NAME;
	switch (facts->seen) {
	case SEEN_NEVER:
		return REASON_FIRST_READ;
	case SEEN_BEFORE_BOUNDARY:
		return REASON_AFTER_COMPACTION;
	case SEEN_SINCE:
		return REASON_EVIDENCE_LOST;
	case SEEN_REFRESHED:
		return REASON_REFRESHED;
	case SEEN_UNTOLD:
		break;
	}
	return REASON_UNKNOWN;
}

static enum report_reason
reason_full(const struct report_facts *facts)
{
	switch (facts->found) {
	case TRUST_NEVER:
		return reason_never(facts);
	case TRUST_REFRESHED:
		return REASON_REFRESHED;
	case TRUST_MOVED:
		return REASON_MOVED;
	case TRUST_FOUND:
		break;
	}
	if (facts->same_batch)
		return REASON_SAME_BATCH;
	return facts->voided ? REASON_REFRESHED : REASON_UNKNOWN;
}

/* Something was known that could have been used: why was it not? */
static enum report_reason
reason_pause(const struct report_facts *facts, enum report_reason otherwise)
{
	if (facts->edit_failed)
		return REASON_FAILED_EDIT;
	if (facts->repeated)
		return REASON_REPEAT;
	return facts->edited ? REASON_OWN_EDIT : otherwise;
}

/*
 * A call beside the read is reason enough, whatever the file was.  So is a short
 * text, except where there could have been a diff.
 */
static enum report_reason
reason_fallback(const struct report_facts *facts)
{
	bool diff = facts->found == TRUST_FOUND && !facts->same_hash &&
	    facts->scope.kind == SCOPE_FULL;

	if (facts->beside)
		return REASON_SIBLING;
	if (facts->short_text && !diff)
		return REASON_MARKER_NOT_SMALLER;
	if (facts->found != TRUST_FOUND)
		return reason_pause(facts, REASON_UNKNOWN);
	if (facts->same_hash)
		return reason_pause(facts, REASON_NEWER_VIEW);
	return facts->scope.kind == SCOPE_FULL ? REASON_CHANGED
					       : REASON_LINES_CHANGED;
}

enum report_reason
report_reason(const struct report_facts *facts)
{
	switch (facts->mode) {
	case MODE_FULL:
		return reason_full(facts);
	case MODE_FALLBACK:
		return reason_fallback(facts);
	case MODE_UNCHANGED:
	case MODE_UNCHANGED_RANGE:
	case MODE_DIFF:
		return REASON_NONE;
	case MODE_PLAIN:
	case MODE_COUNT:
		break;
	}
	return REASON_UNKNOWN;
}
