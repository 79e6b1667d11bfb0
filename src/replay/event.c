#include "replay/event.h"

static const char *const names[MODE_COUNT] = {
	[MODE_FULL] = "full",
	[MODE_UNCHANGED] = "unchanged",
	[MODE_UNCHANGED_RANGE] = "unchanged_range",
	[MODE_DIFF] = "diff",
	[MODE_FALLBACK] = "baseline_fallback",
	[MODE_PLAIN] = "plain",
};

const char *
mode_name(enum mode mode)
{
	return names[mode];
}

bool
mode_is_compact(enum mode mode)
{
	return mode == MODE_UNCHANGED || mode == MODE_UNCHANGED_RANGE ||
	    mode == MODE_DIFF;
}

bool
mode_parse(struct span name, enum mode *mode)
{
	for (int m = 0; m < MODE_PLAIN; m++) {
		if (span_eq(name, span_str(names[m]))) {
			*mode = (enum mode)m;
			return true;
		}
	}
	return false;
}

void
event_delivers(struct event *read, struct span text)
{
	struct digest hash = digest_of(text);

	read->has_text_id = true;
	memcpy(read->text_id.bytes, hash.bytes, TEXT_ID_BYTES);
	read->has_text_bytes = true;
	read->text_bytes = text.n;
}
