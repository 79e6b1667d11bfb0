#include "inspect/knowledge.h"

/* "line 5" or "lines 5-9". */
static void
write_lines(struct buf *buf, const struct flaw *flaw)
{
	buf_str(buf, flaw->first == flaw->last ? "line " : "lines ");
	buf_u64(buf, flaw->first);
	if (flaw->first == flaw->last)
		return;
	buf_char(buf, '-');
	buf_u64(buf, flaw->last);
}

static const char *
sentence(enum flaw_kind kind)
{
	switch (kind) {
	case FLAW_NOTHING:
		return "nothing of the file was shown";
	case FLAW_VERSION:
		return "what was shown is another version of the file";
	case FLAW_NO_VERSION:
		return "no text of the version it speaks of was shown";
	case FLAW_NO_BASE:
		return "the file was not shown whole before the diff";
	case FLAW_BASE:
		return "the diff is for another version than the one shown";
	case FLAW_APPLY:
		return "the diff does not fit the text that was shown";
	case FLAW_RESULT:
		return "the diff gives another version than it says";
	case FLAW_BROKEN:
		return "it is no diff that could be applied";
	case FLAW_UNTOLD:
		return "too much was shown and taken back to tell";
	case FLAW_NEVER:
	case FLAW_COUNT:
	case FLAW_LINE:
	case FLAW_NEITHER:
	case FLAW_NONE:
		break;
	}
	return "";
}

void
flaw_write(struct buf *buf, const struct flaw *flaw)
{
	switch (flaw->kind) {
	case FLAW_NEVER:
		write_lines(buf, flaw);
		buf_str(buf, flaw->first == flaw->last
			? " was never shown"
			: " were never shown");
		break;
	case FLAW_COUNT:
		buf_str(buf, "the file was last shown with ");
		buf_u64(buf, flaw->first);
		buf_str(buf, " lines, not ");
		buf_u64(buf, flaw->last);
		break;
	case FLAW_LINE:
		write_lines(buf, flaw);
		buf_str(buf, " was last shown with another text");
		break;
	case FLAW_NEITHER:
		write_lines(buf, flaw);
		buf_str(buf, ", shown since, is on neither side of the diff");
		break;
	case FLAW_NONE:
	case FLAW_NOTHING:
	case FLAW_VERSION:
	case FLAW_NO_VERSION:
	case FLAW_NO_BASE:
	case FLAW_BASE:
	case FLAW_APPLY:
	case FLAW_RESULT:
	case FLAW_BROKEN:
	case FLAW_UNTOLD:
		buf_str(buf, sentence(flaw->kind));
		break;
	}
}
