#include "base/lines.h"
#include "diff/apply.h"
#include "inspect/knowledge_inside.h"

/* The file made of its lines as last shown; false if some were not shown. */
static bool
assemble(const struct knowledge *k, struct arena *scratch,
    struct column *column)
{
	uint64_t until;

	if (k->told == 0 || sheet_gap(&k->sheet, 1, k->told, &until) != 0)
		return false;
	column->n = k->told;
	column->texts = arena_alloc(scratch, column->n * sizeof(uint32_t));
	sheet_texts(&k->sheet, 1, *column);
	return true;
}

/* LINES, with what HUNKS say of those that are hidden. */
static struct column
fill_hidden(const struct knowledge *k, struct span hunks, struct column lines,
    struct arena *scratch)
{
	struct diff_rows rows = diff_rows(hunks);
	struct column filled = {
	    arena_alloc(scratch, lines.n * sizeof(uint32_t)), lines.n};
	struct diff_row row;

	memcpy(filled.texts, lines.texts, lines.n * sizeof(uint32_t));
	while (diff_next_row(&rows, &row))
		if (row.sign != '+' && row.old_line <= lines.n &&
		    row.old_line > 0 &&
		    filled.texts[row.old_line - 1] == TEXT_HIDDEN)
			filled.texts[row.old_line - 1] =
			    texts_number(k->texts, row.text);
	return filled;
}

/*
 * Apply ANSWER's diff to applied->base.  KNOWN is the hash of the base, or
 * NULL.  Of what is hidden there is no hash.
 */
static struct knowledge_fault
apply_to(const struct knowledge *k, const struct known_answer *answer,
    const struct digest *known, struct arena *scratch, struct applied *applied)
{
	const struct event *read = answer->meta != NULL ? &answer->meta->read
							: NULL;
	struct digest hash;
	struct span base;
	bool hidden;

	hidden = texts_hidden(applied->base);
	if (hidden)
		applied->base = fill_hidden(
		    k, answer->said.text, applied->base, scratch);
	if (!knowledge_join(k, applied->base, scratch, &base))
		return (struct knowledge_fault){.kind = CLAIM_UNTOLD};
	hash = known != NULL ? *known : digest_of(base);
	if (read != NULL && read->has_base && (known != NULL || !hidden) &&
	    !digest_eq(&read->base, &hash))
		return (struct knowledge_fault){.kind = CLAIM_BASE};
	if (!diff_apply(scratch, answer->said.text, base, &applied->text))
		return (struct knowledge_fault){.kind = CLAIM_APPLY};
	hash = digest_of(applied->text);
	applied->hidden = texts_hidden(applied->base);
	if (lines_count(applied->text) != answer->said.total ||
	    (read != NULL && !applied->hidden &&
		!digest_eq(&read->served, &hash)))
		return (struct knowledge_fault){.kind = CLAIM_RESULT};
	return (struct knowledge_fault){.kind = CLAIM_SOUND};
}

struct knowledge_fault
knowledge_apply(const struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch, struct applied *applied)
{
	struct knowledge_fault fault = {.kind = CLAIM_NO_BASE};

	if (!diff_sound(answer->said.text))
		return (struct knowledge_fault){.kind = CLAIM_BROKEN};
	if (k->has_whole) {
		applied->base = k->whole;
		fault = apply_to(k, answer, &k->whole_hash, scratch, applied);
	}
	/* The whole file may also have been shown in parts. */
	if (fault.kind != CLAIM_SOUND && assemble(k, scratch, &applied->base)) {
		struct knowledge_fault other =
		    apply_to(k, answer, NULL, scratch, applied);

		if (other.kind == CLAIM_SOUND || !k->has_whole)
			fault = other;
	}
	return fault;
}

/*
 * Is the diff not for the file as shown whole, but for what was shown since?
 * At least one block of its lines must be known, and no line known
 * differently.
 */
static bool
is_known_already(const struct knowledge *k, const struct answer_said *said)
{
	struct diff_rows rows = diff_rows(said->text);
	bool known = false, block = false;
	uint64_t expected = 0;
	struct diff_row row;

	if (k->has_whole && k->sheet.top != said->total)
		return false;
	while (diff_next_row(&rows, &row)) {
		const struct sheet_line *line;

		if (row.sign == '-')
			continue;
		if (row.new_line != expected) { /* another block begins */
			known = known || block;
			block = true;
		}
		expected = row.new_line + 1;
		line = sheet_find(&k->sheet, row.new_line);
		if (line == NULL)
			block = false;
		else if (line->text != TEXT_HIDDEN &&
			 !span_eq(k->texts->list[line->text], row.text))
			return false;
	}
	return known || block;
}

/* Take the lines that a diff shows.  With OVER they replace what is known. */
static void
take_rows(struct knowledge *k, const struct known_answer *answer, bool over)
{
	struct diff_rows rows = diff_rows(answer->said.text);
	struct diff_row row;

	while (diff_next_row(&rows, &row)) {
		struct sheet_line line = {.since = over};

		if (row.sign == '-')
			continue;
		line.text = texts_number(k->texts, row.text);
		if (over || sheet_find(&k->sheet, row.new_line) == NULL)
			sheet_set(&k->sheet, row.new_line, line);
		if (answer->sealed) {
			struct version version = {
			    .hash = answer->meta->read.served,
			    .first = row.new_line,
			    .lines = {&line.text, 1},
			};

			versions_add(&k->versions, &version, false);
		}
	}
}

/* A row of a diff, and the numbers of the lines that come after it. */
struct turn_row {
	struct diff_row row;
	uint64_t old_next, new_next;
};

/*
 * The *N rows of HUNKS, in SCRATCH.  NULL if their old lines are not in order,
 * as in a forged diff.
 */
static struct turn_row *
list_rows(struct span hunks, struct arena *scratch, size_t *n)
{
	struct diff_rows rows = diff_rows(hunks);
	struct turn_row *list = NULL;
	uint64_t old_next = 0;
	struct diff_row row;
	size_t room = 0;

	for (*n = 0; diff_next_row(&rows, &row); old_next = rows.old_line) {
		if (row.old_line < old_next)
			return NULL;
		list = arena_more(scratch, list, *n, &room, sizeof(*list));
		list[(*n)++] =
		    (struct turn_row){row, rows.old_line, rows.new_line};
	}
	return list;
}

/* The number of the old line LINE after the diff; 0 if it was in a hunk. */
static uint64_t
moved_to(const struct turn_row *rows, size_t n, uint64_t line)
{
	size_t low = 0, high = n;

	/* The first row after it. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rows[middle].row.old_line <= line)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return line;
	rows += low - 1;
	if (rows->row.sign != '+' && rows->row.old_line == line)
		return 0;
	return line + rows->new_next - rows->old_next;
}

/*
 * Take a diff for a base that was not shown.  Its own lines are known, and
 * others have moved by the number of lines that it says.  What was shown whole
 * may still be the base of a later diff, if that one agrees with what this one
 * showed.
 */
static void
take_foreign(struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch)
{
	struct sheet old = k->sheet;
	size_t n;
	const struct turn_row *rows =
	    list_rows(answer->said.text, scratch, &n);

	if (rows == NULL) {
		knowledge_forget(k);
		return;
	}
	k->sheet = k->spare;
	k->spare = old;
	sheet_cut(&k->sheet, 0);
	for (struct sheet_page *p = old.pages; p != NULL; p = p->next) {
		for (uint64_t i = 0; i < SHEET_PAGE; i++) {
			uint64_t to;

			if (p->lines[i].text == 0)
				continue;
			to = moved_to(rows, n, p->number * SHEET_PAGE + i);
			if (to != 0)
				sheet_set(&k->sheet, to, p->lines[i]);
		}
	}
	k->ended = k->told = 0;
	belief_end(k);
	take_rows(k, answer, true);
}

void
knowledge_diff(struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch)
{
	struct applied applied;
	struct knowledge_fault fault =
	    knowledge_apply(k, answer, scratch, &applied);

	if (fault.kind == CLAIM_BROKEN)
		knowledge_forget(k);
	else if (fault.kind == CLAIM_SOUND && !applied.hidden)
		knowledge_whole(k, applied.text, scratch);
	else if (fault.kind == CLAIM_SOUND && answer->meta != NULL)
		knowledge_whole_lines(k,
		    texts_split(k->texts, applied.text, scratch),
		    &answer->meta->read.served);
	else if (is_known_already(k, &answer->said))
		take_rows(k, answer, false);
	else
		take_foreign(k, answer, scratch);
}
