#include "inspect/knowledge_inside.h"

/* How much may be compared: at the start, and more for every answer. */
enum { WORK_FIRST = 1 << 18, WORK_MORE = 512 };


struct knowledge *
knowledge_new(struct arena *arena)
{
	struct knowledge *k = arena_array(arena, 1, sizeof(*k));

	k->arena = arena;
	k->texts = arena_alloc(arena, sizeof(*k->texts));
	*k->texts = texts_new(arena);
	k->versions = versions_new(arena);
	k->compares = arena_array(arena, 1, sizeof(*k->compares));
	k->compares->left = WORK_FIRST;
	k->sheet = sheet_new(arena);
	k->spare = sheet_new(arena);
	k->belief.bytes.left = BELIEF_FIRST;
	k->own.calls = map_new(arena, 1);
	return k;
}

void
knowledge_forget(struct knowledge *k)
{
	sheet_cut(&k->sheet, 0);
	k->has_whole = false;
	k->ended = k->told = 0;
	belief_end(k);
}

static void
keep_whole(struct knowledge *k, struct column column)
{
	if (column.n > k->whole_room) {
		k->whole_room = column.n * 2;
		k->whole.texts = arena_array(k->arena, k->whole_room,
		    sizeof(uint32_t));
	}
	memcpy(k->whole.texts, column.texts, column.n * sizeof(uint32_t));
	k->whole.n = column.n;
	k->has_whole = true;
}

void
knowledge_whole_lines(
    struct knowledge *k, struct column lines, const struct digest *hash)
{
	struct version version = {.hash = *hash, .first = 1, .lines = lines,
	    .whole = true};

	keep_whole(k, lines);
	k->whole_hash = *hash;
	versions_add(&k->versions, &version, false);
	sheet_cut(&k->sheet, 0);
	for (uint64_t i = 0; i < lines.n; i++)
		sheet_set(&k->sheet, i + 1,
		    (struct sheet_line){lines.texts[i], false});
	k->ended = 0;
	k->told = lines.n;
	belief_end(k);
}

void
knowledge_whole(struct knowledge *k, struct span text, struct arena *scratch)
{
	struct column lines = texts_split(k->texts, text, scratch);
	struct digest hash = digest_of(text);

	knowledge_whole_lines(k, lines, &hash);
}

void
knowledge_part(struct knowledge *k, uint64_t first, struct column lines,
    uint64_t total)
{
	for (uint64_t i = 0; i < lines.n; i++)
		sheet_set(&k->sheet, first + i,
		    (struct sheet_line){lines.texts[i], true});
	k->told = total;
	if (first + lines.n - 1 == total) {
		k->ended = total;
		sheet_cut(&k->sheet, total); /* seen to be gone */
	}
	belief_show(k, first, lines, total);
}

static void
take_part(struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch)
{
	const struct answer_said *said = &answer->said;
	struct column column = texts_split(k->texts, said->text, scratch);

	knowledge_part(k, said->first, column, said->total);
	if (answer->meta != NULL && !answer->altered &&
	    said_is_anchor(answer->meta)) {
		struct version version = {.hash = answer->meta->read.served,
		    .first = said->first, .lines = column};

		versions_add(&k->versions, &version, false);
	}
}

static void
take_text(struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch)
{
	const struct answer_said *said = &answer->said;

	if (said->first == 1 && said->last == said->total)
		knowledge_whole(k, said->text, scratch);
	else
		take_part(k, answer, scratch);
}

/*
 * A marker shows nothing, but it may say that its lines belong to one more
 * version.
 */
static void
take_marker(struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch)
{
	struct claim claim;

	if (answer->meta == NULL || answer->altered ||
	    knowledge_judge(k, answer, scratch, &claim).kind != CLAIM_SOUND)
		return;
	versions_add(&k->versions, &claim.version, claim.shared);
	/* One in pieces says that its lines still are these. */
	if (answer->meta->read.pieces > 0)
		knowledge_part(k, claim.version.first, claim.version.lines,
		    answer->meta->read.total);
}

/*
 * Line LINE is too long to be shown: what was shown of it before is not valid
 * any more.
 */
static void
take_too_long(struct knowledge *k, uint64_t line)
{
	if (sheet_find(&k->sheet, line) != NULL)
		sheet_set(&k->sheet, line, (struct sheet_line){0});
	k->has_whole = false;
	belief_lose(k, line);
}

void
knowledge_take(struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch)
{
	k->compares->left += WORK_MORE;
	k->belief.bytes.left += BELIEF_MORE;
	switch (answer->said.kind) {
	case SAID_UNKNOWN:
		knowledge_forget(k);
		break;
	case SAID_TEXT:
		take_text(k, answer, scratch);
		break;
	case SAID_TOO_LONG:
		take_too_long(k, answer->said.first);
		break;
	case SAID_SAME:
	case SAID_SAME_LINES:
		take_marker(k, answer, scratch);
		break;
	case SAID_DIFF:
		knowledge_diff(k, answer, scratch);
		break;
	case SAID_WRITTEN:
	case SAID_EDITS:
	case SAID_PIECES:
		knowledge_pieces(k, answer, scratch);
		break;
	}
}
