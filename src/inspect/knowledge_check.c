#include "base/lines.h"
#include "diff/apply.h"
#include "inspect/knowledge_inside.h"

static const struct knowledge_fault none = {.kind = CLAIM_SOUND};

struct knowledge_fault
knowledge_shown(const struct knowledge *k, uint64_t first, uint64_t last)
{
	uint64_t until, gap = sheet_gap(&k->sheet, first, last, &until);

	if (gap == 0)
		return none;
	if (k->sheet.top == 0)
		return (struct knowledge_fault){.kind = CLAIM_NOTHING};
	return (struct knowledge_fault){CLAIM_NEVER, gap, until};
}

/* Lines FIRST to LAST, all of which are known, as they were last shown. */
static struct column
shown(const struct knowledge *k, uint64_t first, uint64_t last,
    struct arena *scratch)
{
	uint64_t n = last - first + 1;
	struct column column = {arena_alloc(scratch, n * sizeof(uint32_t)), n};

	sheet_texts(&k->sheet, first, column);
	return column;
}

static bool
is_version(const struct knowledge *k, struct column column,
    const struct digest *hash, struct arena *scratch)
{
	const struct version *v = versions_find(&k->versions, hash);
	struct digest have;
	struct span text;

	for (; v != NULL && knowledge_pay(k, column.n / 8, 0); v = v->before)
		if (v->whole && v->lines.n == column.n &&
		    memcmp(v->lines.texts, column.texts,
			column.n * sizeof(uint32_t)) == 0)
			return true;
	if (texts_hidden(column))
		return knowledge_differs(k, 1, column, hash) == 0;
	if (!knowledge_join(k, column, scratch, &text))
		return false;
	have = digest_of(text);
	return digest_eq(&have, hash);
}

static struct knowledge_fault
check_same(const struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch, struct claim *claim)
{
	uint64_t total = answer->said.total;
	struct knowledge_fault fault = knowledge_shown(k, 1, total);

	if (fault.kind != CLAIM_SOUND)
		return fault;
	if (k->told != total)
		return (struct knowledge_fault){
		    CLAIM_LENGTH, k->told != 0 ? k->told : k->sheet.top, total};
	if (answer->meta == NULL)
		return none;
	claim->version = (struct version){
	    .hash = answer->meta->read.served,
	    .first = 1,
	    .lines = shown(k, 1, total, scratch),
	    .whole = true,
	};
	return is_version(
		   k, claim->version.lines, &claim->version.hash, scratch)
		   ? none
		   : (struct knowledge_fault){.kind = CLAIM_VERSION};
}

/* A claim about lines, compared with what was shown of versions. */
struct comparison {
	uint64_t first, last;
	struct column have; /* as last shown */
	bool agrees;        /* with some line of some version */
	const struct version *all; /* a version that has all lines, or NULL */
};

/* The lines *FROM to *TO that both V and the claim have; none if FROM > TO. */
static void
overlap(const struct comparison *c, const struct version *v, uint64_t *from,
    uint64_t *to)
{
	uint64_t end = v->first + v->lines.n - 1;

	*from = v->first > c->first ? v->first : c->first;
	*to = end < c->last ? end : c->last;
}

/* Does V have line I as it was last shown? */
static bool
has_line(const struct comparison *c, const struct version *v, uint64_t i)
{
	return texts_same(
	    c->have.texts[i - c->first], v->lines.texts[i - v->first]);
}

/*
 * May V be compared with the claim?  There is a limit: if a file was shown in
 * very many parts, the reader is not believed to know all of them.
 */
static bool
may_compare(const struct knowledge *k, const struct comparison *c,
    const struct version *v)
{
	enum { FIND = 256 }; /* to find its lines is as much as so many */

	return v != NULL && knowledge_pay(k, FIND + c->last - c->first, 0);
}

/* The first line where V and the claim differ, or 0. */
static uint64_t
compare(struct comparison *c, const struct version *v)
{
	uint64_t from, to, differs = 0;

	overlap(c, v, &from, &to);
	for (uint64_t i = from; i <= to; i++) {
		if (has_line(c, v, i))
			c->agrees = true;
		else if (differs == 0)
			differs = i;
	}
	if (differs == 0 && from == c->first && to == c->last &&
	    memcmp(c->have.texts, v->lines.texts + (from - v->first),
		c->have.n * sizeof(uint32_t)) == 0)
		c->all = v;
	return differs;
}

uint64_t
knowledge_differs(const struct knowledge *k, uint64_t first,
    struct column lines, const struct digest *hash)
{
	const struct version *v = versions_find(&k->versions, hash);
	struct comparison c = {
	    .first = first, .last = first + lines.n - 1, .have = lines};
	uint64_t differs = 0;

	for (; differs == 0 && may_compare(k, &c, v); v = v->before)
		if (!v->weak)
			differs = compare(&c, v);
	return differs;
}

/*
 * Mark the lines of the claim that V has as last shown.  The result is how
 * many.
 */
static uint64_t
mark(const struct comparison *c, const struct version *v, bool *marks)
{
	uint64_t from, to, n = 0;

	overlap(c, v, &from, &to);
	for (uint64_t i = from; i <= to; i++)
		if (has_line(c, v, i)) {
			marks[i - c->first] = true;
			n++;
		}
	return n;
}

/*
 * A marker that names itself as its base speaks of lines that were shown in
 * parts, of several versions (SPEC 16).  Is it right?  Every line must have
 * been shown, but no single version may have all of them, and the end of the
 * file if the claim reaches it.
 */
static bool
is_of_parts(const struct knowledge *k, const struct event *read,
    const struct comparison *c, struct arena *scratch)
{
	uint64_t n = c->last - c->first + 1, seen = 0;
	bool *marks = arena_array(scratch, n, sizeof(*marks));

	if (!read->has_base || !digest_eq(&read->base, &read->served))
		return false;
	for (const struct version *v = k->versions.latest; v != NULL;
	     v = v->older) {
		bool ends = c->last != read->total ||
		    v->first + v->lines.n - 1 == c->last;

		if (!may_compare(k, c, v))
			return false;
		if (!v->weak && mark(c, v, marks) == n && ends)
			return false;
	}
	for (uint64_t i = 0; i < n; i++)
		seen += marks[i];
	return seen == n;
}

/*
 * An answer by own changes or moved lines may rest on a version of which only
 * other lines were shown, by answers like itself.  Then its lines must be what
 * the reader believes, by its own changes, that they are.
 */
static struct knowledge_fault
check_piece(const struct knowledge *k, const struct event *read,
    const struct comparison *c)
{
	if (!read->has_base ||
	    versions_find(&k->versions, &read->base) == NULL)
		return (struct knowledge_fault){.kind = CLAIM_NO_VERSION};
	for (uint64_t i = c->first; i <= c->last; i++) {
		uint32_t text = belief_line(k, i).text;

		if (text != TEXT_NONE &&
		    !texts_same(text, c->have.texts[i - c->first]))
			return (struct knowledge_fault){CLAIM_LINE, i, i};
	}
	return none;
}

/*
 * What was shown of the claimed version must be what was last shown.  Its base
 * need only have been shown: if newer answers show other lines, those count.
 */
static struct knowledge_fault
compare_versions(const struct knowledge *k, const struct event *read,
    struct comparison *c, struct arena *scratch)
{
	const struct version *v = versions_find(&k->versions, &read->served);

	for (; may_compare(k, c, v); v = v->before) {
		uint64_t differs = compare(c, v);

		if (differs != 0 && !v->weak)
			return (struct knowledge_fault){
			    CLAIM_LINE, differs, differs};
	}
	v = read->has_base ? versions_find(&k->versions, &read->base) : NULL;
	for (; may_compare(k, c, v); v = v->before)
		(void)compare(c, v);
	if (k->work->left == 0)
		return (struct knowledge_fault){.kind = CLAIM_NO_VERSION};
	if (read->pieces > 0)
		return check_piece(k, read, c);
	return c->agrees || is_of_parts(k, read, c, scratch)
		   ? none
		   : (struct knowledge_fault){.kind = CLAIM_NO_VERSION};
}

static struct knowledge_fault
check_lines(const struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch, struct claim *claim)
{
	const struct answer_said *said = &answer->said;
	struct comparison c = {.first = said->first, .last = said->last};
	struct knowledge_fault fault = knowledge_shown(k, said->first, said->last);

	if (fault.kind != CLAIM_SOUND || answer->meta == NULL)
		return fault;
	c.have = shown(k, said->first, said->last, scratch);
	fault = compare_versions(k, &answer->meta->read, &c, scratch);
	claim->version = (struct version){
	    .hash = answer->meta->read.served,
	    .first = c.first,
	    .lines = c.have,
	    .weak = true,
	};
	claim->shared = c.all != NULL;
	if (claim->shared)
		claim->version.lines.texts = c.all->lines.texts +
		    (c.first - c.all->first);
	return fault;
}

/*
 * A line that was shown after the whole file must be that of the base or of
 * the new version.
 */
static struct knowledge_fault
check_since(const struct knowledge *k, struct column base, struct column now)
{
	for (const struct sheet_page *p = k->sheet.pages; p != NULL;
	     p = p->next) {
		for (uint64_t i = 0; i < SHEET_PAGE; i++) {
			const struct sheet_line *line = &p->lines[i];
			uint64_t n = p->number * SHEET_PAGE + i;

			if (line->text == 0 || !line->since ||
			    (n <= now.n &&
				texts_same(now.texts[n - 1], line->text)) ||
			    (n <= base.n &&
				texts_same(base.texts[n - 1], line->text)))
				continue;
			return (struct knowledge_fault){CLAIM_NEITHER, n, n};
		}
	}
	return none;
}

/* The first line from LINE on that HUNKS, which fit, do not show. */
static uint64_t
first_not_shown(struct span hunks, uint64_t line)
{
	struct diff_rows rows = diff_rows(hunks);
	struct diff_row row;

	while (diff_next_row(&rows, &row) && row.new_line <= line)
		if (row.sign != '-' && row.new_line == line)
			line++;
	return line;
}

/*
 * If a part showed since then that the file ends at some line, the diff must
 * show all lines that are after it now.
 */
static struct knowledge_fault
check_end(const struct knowledge *k, struct span hunks, struct column base,
    struct column now)
{
	uint64_t n;

	if (k->ended == 0 || k->ended >= now.n || k->ended == base.n)
		return none;
	n = first_not_shown(hunks, k->ended + 1);
	if (n == now.n) {
		uint32_t text = now.texts[n - 1];

		n += text == TEXT_HIDDEN ||
		     (text != 0 && k->texts->list[text].n == 0); /* blank */
	}
	return n > now.n ? none : (struct knowledge_fault){CLAIM_NEVER, n, n};
}

static struct knowledge_fault
check_diff(const struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch)
{
	struct applied applied;
	struct knowledge_fault fault =
	    knowledge_apply(k, answer, scratch, &applied);
	struct column now;

	if (fault.kind != CLAIM_SOUND)
		return fault;
	now = texts_look_up(k->texts, applied.text, scratch);
	fault = check_since(k, applied.base, now);
	return fault.kind != CLAIM_SOUND
		   ? fault
		   : check_end(k, answer->said.text, applied.base, now);
}

/* Each call that the answer rests on must be there, and be the only one. */
static struct knowledge_fault
check_calls(const struct knowledge *k, const struct meta *meta)
{
	for (size_t i = 0; meta != NULL && i < meta->read.ncalls; i++) {
		const uint64_t *found =
		    map_find(k->own.calls, meta->read.calls[i]);

		if (found == NULL || *found != 1)
			return (struct knowledge_fault){.kind = CLAIM_CALL};
	}
	return none;
}

struct knowledge_fault
knowledge_judge(const struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch, struct claim *claim)
{
	struct knowledge_fault fault = check_calls(k, answer->meta);

	*claim = (struct claim){.shared = false};
	if (fault.kind != CLAIM_SOUND)
		return fault;
	if (!knowledge_pay_for(k, &answer->said))
		return (struct knowledge_fault){.kind = CLAIM_UNTOLD};
	switch (answer->said.kind) {
	case SAID_SAME:
		return check_same(k, answer, scratch, claim);
	case SAID_SAME_LINES:
		return check_lines(k, answer, scratch, claim);
	case SAID_DIFF:
		return check_diff(k, answer, scratch);
	case SAID_UNKNOWN:
	case SAID_TEXT:
	case SAID_TOO_LONG:
		break;
	case SAID_WRITTEN:
	case SAID_EDITS:
	case SAID_PIECES:
		return knowledge_judge_own(k, answer, scratch, claim);
	}
	return none;
}

struct knowledge_fault
knowledge_check(const struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch)
{
	struct claim claim;

	return knowledge_judge(k, answer, scratch, &claim);
}
