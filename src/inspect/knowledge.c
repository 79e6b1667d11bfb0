#include "inspect/knowledge_inside.h"

enum { WORK_FIRST = 1 << 20, WORK_MORE = 4 }; /* steps; more for every byte */

struct budget
knowledge_budget(uint64_t bytes)
{
	return (struct budget){WORK_FIRST + WORK_MORE * bytes};
}

struct knowledge *
knowledge_new(struct arena *arena, struct budget *work)
{
	struct knowledge *k = arena_array(arena, 1, sizeof(*k));

	k->arena = arena;
	k->texts = arena_alloc(arena, sizeof(*k->texts));
	*k->texts = texts_new(arena);
	k->versions = versions_new(arena);
	k->work = work;
	k->sheet = sheet_new(arena);
	k->spare = sheet_new(arena);
	k->own.calls = map_new(arena, 1);
	return k;
}

bool
knowledge_pay(const struct knowledge *k, uint64_t lines, uint64_t bytes)
{
	enum { LINES = 32, BYTES = 64 }; /* a step: about 100 ns */

	return budget_spend(k->work, 1 + lines / LINES + bytes / BYTES);
}

bool
knowledge_pay_for(const struct knowledge *k, const struct answer_said *said)
{
	uint64_t known = sheet_room(&k->sheet) + k->belief.n + k->whole.n;
	uint64_t most = known + k->own.lines;
	uint64_t n = said->last - said->first + 1;
	bool marker =
	    said->kind == SAID_SAME || said->kind == SAID_SAME_LINES;

	known += n < most ? n : most;
	/* Of a marker the lines are compared, and no more. */
	return knowledge_pay(k, marker ? known : 4 * known, 0);
}

bool
knowledge_join(const struct knowledge *k, struct column column,
    struct arena *scratch, struct span *text)
{
	uint64_t bytes = 0;

	for (uint64_t i = 0; i < column.n; i++)
		bytes += k->texts->list[column.texts[i]].n;
	if (!knowledge_pay(k, column.n, bytes))
		return false;
	*text = texts_join(k->texts, column, scratch);
	return true;
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

/* The file has no lines after LAST. */
static void
cut_sheet(struct knowledge *k, uint64_t last)
{
	if (k->sheet.top <= last)
		return;
	if (!knowledge_pay(k, sheet_room(&k->sheet), 0))
		last = 0;
	sheet_cut(&k->sheet, last);
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
		cut_sheet(k, total); /* seen to be gone */
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
		if (!knowledge_pay_for(k, &answer->said))
			knowledge_forget(k);
		knowledge_diff(k, answer, scratch);
		break;
	case SAID_WRITTEN:
	case SAID_EDITS:
	case SAID_PIECES:
		knowledge_pieces(k, answer, scratch);
		break;
	}
}
