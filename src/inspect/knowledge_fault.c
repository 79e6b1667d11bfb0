#include "inspect/knowledge.h"

/* "line 5" or "lines 5-9". */
static void
write_lines(struct buf *buf, const struct knowledge_fault *fault)
{
	buf_str(buf, fault->first == fault->last ? "line " : "lines ");
	buf_u64(buf, fault->first);
	if (fault->first == fault->last)
		return;
	buf_char(buf, '-');
	buf_u64(buf, fault->last);
}

static const char *
sentence(enum claim_fault kind)
{
	switch (kind) {
	case CLAIM_NOTHING:
		return "nothing of the file was shown";
	case CLAIM_VERSION:
		return "what was shown is another version of the file";
	case CLAIM_NO_VERSION:
		return "no text of the version it speaks of was shown";
	case CLAIM_NO_BASE:
		return "the file was not shown whole before the diff";
	case CLAIM_BASE:
		return "the diff is for another version than the one shown";
	case CLAIM_APPLY:
		return "the diff does not fit the text that was shown";
	case CLAIM_RESULT:
		return "the diff gives another version than it says";
	case CLAIM_BROKEN:
		return "it is not a diff that could be applied";
	case CLAIM_UNTOLD:
		return "too much was shown and taken back to tell";
	case CLAIM_CALL:
		return "a change of the model that it rests on is not in sight";
	case CLAIM_WRITTEN:
		return "the model did not write the file";
	case CLAIM_OWN:
		return "the model did not write that many lines";
	case CLAIM_EDITS:
		return "what the model wrote is another version of the file";
	case CLAIM_PARTS:
		return "its parts give another version than it says";
	case CLAIM_NOT_OWN:
	case CLAIM_UNNAMED:
	case CLAIM_UNCUT:
	case CLAIM_NEVER:
	case CLAIM_LENGTH:
	case CLAIM_LINE:
	case CLAIM_NEITHER:
	case CLAIM_SOUND:
		break;
	}
	return "";
}

void
knowledge_fault_write(struct buf *buf, const struct knowledge_fault *fault)
{
	switch (fault->kind) {
	case CLAIM_NEVER:
		write_lines(buf, fault);
		buf_str(buf, fault->first == fault->last
			? " was never shown"
			: " were never shown");
		break;
	case CLAIM_LENGTH:
		buf_str(buf, "the file was last shown with ");
		buf_u64(buf, fault->first);
		buf_str(buf, " lines, not ");
		buf_u64(buf, fault->last);
		break;
	case CLAIM_LINE:
		write_lines(buf, fault);
		buf_str(buf, " was last shown with another text");
		break;
	case CLAIM_NEITHER:
		write_lines(buf, fault);
		buf_str(buf, ", shown since, is on neither side of the diff");
		break;
	case CLAIM_NOT_OWN:
		buf_str(buf, "the model did not write ");
		write_lines(buf, fault);
		break;
	case CLAIM_UNNAMED:
		buf_str(buf, "the model changed ");
		write_lines(buf, fault);
		buf_str(buf, ", too");
		break;
	case CLAIM_UNCUT:
		buf_str(buf, "the model removed nothing before ");
		write_lines(buf, fault);
		break;
	case CLAIM_SOUND:
	case CLAIM_NOTHING:
	case CLAIM_VERSION:
	case CLAIM_NO_VERSION:
	case CLAIM_NO_BASE:
	case CLAIM_BASE:
	case CLAIM_APPLY:
	case CLAIM_RESULT:
	case CLAIM_BROKEN:
	case CLAIM_UNTOLD:
	case CLAIM_CALL:
	case CLAIM_WRITTEN:
	case CLAIM_OWN:
	case CLAIM_EDITS:
	case CLAIM_PARTS:
		buf_str(buf, sentence(fault->kind));
		break;
	}
}
