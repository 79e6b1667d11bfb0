#include "inspect/said.h"

#include "base/lines.h"
#include "host/host.h"
#include "inspect/said_words.h"
#include "os/bytes.h"

bool
said_is_anchor(const struct meta *meta)
{
	return !mode_is_compact(meta->read.mode);
}

/* TEXT as the lines from FIRST to the end of the file. */
static struct answer_said
to_the_end(struct span text, uint64_t first)
{
	uint64_t last = first + lines_count(text) - 1;

	return (struct answer_said){.kind = SAID_TEXT, .first = first,
	    .last = last, .total = last, .text = text};
}

/* "[Line K is 60.0KB, exceeds ...]", for line FIRST. */
static bool
is_too_long(struct span text, uint64_t first)
{
	uint64_t line;

	return !span_has(text, '\n') && take(&text, SPAN("[Line ")) &&
	       take_number(&text, &line) && line == first &&
	       take(&text, SPAN(" is ")) &&
	       bytes_find(text.p, text.n, " limit. Use bash: sed -n '", 26) !=
		   NULL;
}

/* Read TEXT as an answer of the host's plain read. */
static struct answer_said
read_plain(struct arena *scratch, struct span text, uint64_t first,
    uint64_t limit)
{
	struct answer_said said = {.kind = SAID_UNKNOWN, .text = SPAN("")};
	struct view view;

	if (is_too_long(text, first)) {
		said.kind = SAID_TOO_LONG;
		said.first = said.last = first;
		return said;
	}
	if (!host->recorded(scratch, text, first, limit, &view))
		return said;
	return (struct answer_said){.kind = SAID_TEXT, .first = view.first,
	    .last = view.last, .total = view.total, .text = view.text};
}

/* Does SAID show exactly the lines that the metadata names? */
static bool
agrees(const struct answer_said *said, const struct event *read)
{
	bool full = read->scope.kind == SCOPE_FULL;

	return said->kind == SAID_TEXT && said->total == read->total &&
	    said->first == (full ? 1 : read->scope.first) &&
	    said->last == (full ? read->total : read->scope.last);
}

static bool
find_place(const struct said_about *about, uint64_t *first)
{
	*first = about->first;
	if (about->placed)
		return true;
	if (about->meta == NULL || !said_is_anchor(about->meta))
		return false;
	*first = about->meta->read.scope.kind == SCOPE_FULL
	    ? 1
	    : about->meta->read.scope.first;
	return true;
}

struct answer_said
said_read(struct arena *scratch, struct span text,
    const struct said_about *about)
{
	const struct event *anchor = NULL;
	struct answer_said compact, plain, whole;
	uint64_t first;

	if (about->meta != NULL && said_is_anchor(about->meta))
		anchor = &about->meta->read;
	/* A text with the file's own hash is the file. */
	if (anchor != NULL && digest_eq(&about->hash, &anchor->served))
		return to_the_end(text, 1);
	plain = (struct answer_said){.kind = SAID_UNKNOWN, .text = SPAN("")};
	if (find_place(about, &first)) {
		plain = read_plain(scratch, text, first, about->limit);
		whole = to_the_end(text, first);
		if (anchor != NULL && about->sealed && agrees(&plain, anchor))
			return plain;
		if (anchor != NULL && about->sealed && agrees(&whole, anchor))
			return whole;
	}
	return said_compact(scratch, text, &compact) ? compact : plain;
}
