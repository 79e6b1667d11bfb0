#include "inspect/knowledge_inside.h"

/* How much may be compared: at the start, and more for every answer. */
enum { WORK_FIRST = 1 << 18, WORK_MORE = 512 };

struct knowledge *
knowledge_new(struct arena *arena)
{
	struct knowledge *k = arena_array(arena, 1, sizeof(*k));

	k->arena = arena;
	k->texts = texts_new(arena);
	k->versions = versions_new(arena);
	k->compares = arena_array(arena, 1, sizeof(*k->compares));
	k->compares->left = WORK_FIRST;
	k->sheet = sheet_new(arena);
	k->spare = sheet_new(arena);
	return k;
}

void
knowledge_forget(struct knowledge *k)
{
	sheet_cut(&k->sheet, 0);
	k->has_whole = false;
	k->ended = k->told = 0;
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
knowledge_whole(struct knowledge *k, struct span text, struct arena *scratch)
{
	struct column column = texts_split(&k->texts, text, scratch);
	struct version version = {.hash = digest_of(text), .first = 1,
	    .lines = column, .whole = true};

	keep_whole(k, column);
	k->whole_hash = version.hash;
	versions_add(&k->versions, &version, false);
	sheet_cut(&k->sheet, 0);
	for (uint64_t i = 0; i < column.n; i++)
		sheet_set(&k->sheet, i + 1,
		    (struct sheet_line){column.texts[i], false});
	k->ended = 0;
	k->told = column.n;
}

static void
take_part(struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch)
{
	const struct answer_said *said = &answer->said;
	struct column column = texts_split(&k->texts, said->text, scratch);

	for (uint64_t i = 0; i < column.n; i++)
		sheet_set(&k->sheet, said->first + i,
		    (struct sheet_line){column.texts[i], true});
	k->told = said->total;
	if (said->last == said->total) {
		k->ended = said->last;
		sheet_cut(&k->sheet, said->last); /* seen to be gone */
	}
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

	if (answer->meta != NULL && !answer->altered &&
	    knowledge_judge(k, answer, scratch, &claim).kind == CLAIM_SOUND)
		versions_add(&k->versions, &claim.version, claim.shared);
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
}

void
knowledge_take(struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch)
{
	k->compares->left += WORK_MORE;
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
	}
}
