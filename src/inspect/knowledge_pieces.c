/*
 * Answers with own edits or in pieces, judged by what was visible.
 *
 * The last whole text and the reader's own changes may give the whole file as
 * it is now; the hash in the metadata says whether they do.  If so, every line
 * of the claim is compared.  If not, the claim need only be possible: lines
 * that were shown are known by their numbers, and no more lines are said to be
 * the reader's own than it wrote.
 */
#include "inspect/knowledge_inside.h"

static const struct knowledge_fault none = {.kind = CLAIM_SOUND};

static struct knowledge_fault
fault_at(enum claim_fault kind, uint64_t line)
{
	return (struct knowledge_fault){kind, line, line};
}

/* A claim, and what the reader knows to judge it by. */
struct judged_claim {
	const struct knowledge *k;
	const struct answer_said *said;
	const struct event *read; /* NULL: without metadata */
	struct arena *scratch;
	uint64_t n; /* lines that the claim speaks of */
	bool exact; /* the reader knows the file as it is now: */
	struct column now;
	struct column lines; /* the claim's: what we know of them */
};

static bool
is_full(const struct judged_claim *j)
{
	return j->said->first == 1 && j->said->last == j->said->total;
}

/* How LINE was last shown. */
static uint32_t
shown_text(const struct knowledge *k, uint64_t line)
{
	const struct sheet_line *found = sheet_find(&k->sheet, line);

	return found != NULL ? found->text : TEXT_NONE;
}

/* If the claim rests on texts, its base must be a version that was shown. */
static struct knowledge_fault
check_base(const struct judged_claim *j, bool shown)
{
	const struct event *read = j->read;

	if (read == NULL || !read->has_base ||
	    (!shown && digest_eq(&read->base, &read->served)) ||
	    versions_find(&j->k->versions, &read->base) != NULL)
		return none;
	return (struct knowledge_fault){.kind = CLAIM_NO_VERSION};
}

/* Only the reader knows what the claim's lines are. */
static void
hide(struct judged_claim *j)
{
	j->lines.n = j->n;
	j->lines.texts = arena_alloc(j->scratch, j->n * sizeof(uint32_t));
	for (uint64_t i = 0; i < j->n; i++)
		j->lines.texts[i] = TEXT_HIDDEN;
}

/* ---- the whole file, as the reader wrote it ---- */

static struct knowledge_fault
check_written(struct judged_claim *j)
{
	const struct knowledge *k = j->k;

	if (k->own.whole == 0)
		return (struct knowledge_fault){.kind = CLAIM_WRITTEN};
	if (j->exact) {
		j->lines = j->now;
		return check_base(j, false);
	}
	if (!k->belief.untold)
		return (struct knowledge_fault){.kind = CLAIM_EDITS};
	if (j->n > k->own.lines)
		return (struct knowledge_fault){.kind = CLAIM_OWN};
	hide(j);
	return none;
}

/* ---- own edits in place ---- */

/* The lines that an answer names as changed, by their place in it. */
struct named {
	bool *changed; /* the line */
	bool *removed; /* lines before it */
	bool at_end;
};

static struct named
names_of(const struct judged_claim *j)
{
	const struct answer_said *said = j->said;
	struct named named = {
	    .changed = arena_array(j->scratch, j->n + 1, sizeof(bool)),
	    .removed = arena_array(j->scratch, j->n + 1, sizeof(bool)),
	};

	for (size_t i = 0; i < said->npieces; i++) {
		const struct said_piece *p = &said->pieces[i];

		if (p->kind != LINES_GONE)
			for (uint64_t k = p->first; k <= p->last; k++)
				named.changed[k - said->first] = true;
		else if (p->first <= said->last)
			named.removed[p->first - said->first] = true;
		else
			named.at_end = true;
	}
	return named;
}

/* Is line I of the claim, which the reader knows, what NAMED says? */
static struct knowledge_fault
check_edited_line(
    const struct judged_claim *j, const struct named *named, uint64_t i)
{
	uint64_t number = j->said->first + i;
	struct belief_line line = belief_line(j->k, number);
	uint32_t shown = shown_text(j->k, number);

	if (named->removed[i] && !line.cut && !j->k->own.older_cuts)
		return fault_at(CLAIM_UNCUT, number);
	if (line.cut && !named->removed[i] &&
	    (i == 0 || !named->changed[i - 1]))
		return fault_at(CLAIM_UNNAMED, number);
	if (named->changed[i])
		return line.edited || belief_wrote(j->k, line.text)
			   ? none
			   : fault_at(CLAIM_NOT_OWN, number);
	if (line.edited && !texts_same(line.text, shown))
		return fault_at(CLAIM_UNNAMED, number);
	return none;
}

static struct knowledge_fault
check_edits_exactly(struct judged_claim *j)
{
	const struct knowledge *k = j->k;
	struct named named = names_of(j);
	struct knowledge_fault fault = none;

	for (uint64_t i = 0; i < j->n && fault.kind == CLAIM_SOUND; i++)
		fault = check_edited_line(j, &named, i);
	if (fault.kind == CLAIM_SOUND && named.at_end && !k->belief.cut_end &&
	    !k->own.older_cuts)
		fault = fault_at(CLAIM_UNCUT, j->said->total + 1);
	j->lines = (struct column){j->now.texts + j->said->first - 1, j->n};
	return fault.kind == CLAIM_SOUND ? check_base(j, false) : fault;
}

/*
 * Would the reader know the file as it is now if the claim were true?  Yes, if
 * it knows the whole file, by texts shown and by its own changes, and was not
 * shown all of these lines since then.
 */
static bool
would_know(const struct judged_claim *j)
{
	const struct belief *b = &j->k->belief;
	struct named named;

	if (!b->firm)
		return false;
	if (b->n != j->said->total)
		return true;
	named = names_of(j);
	for (uint64_t i = 0; i < j->n; i++)
		if (!named.changed[i] &&
		    !b->lines[j->said->first - 1 + i].since)
			return true;
	return false;
}

/* How many lines the claim says to be the reader's own. */
static uint64_t
own_lines(const struct answer_said *said)
{
	uint64_t n = 0;

	for (size_t i = 0; i < said->npieces; i++)
		if (said->pieces[i].kind == LINES_OWN)
			n += said->pieces[i].last - said->pieces[i].first + 1;
	return n;
}

/*
 * The lines that are not named were shown; or the reader wrote them, as far as
 * it wrote so many, with the whole file.
 */
static struct knowledge_fault
check_others(const struct judged_claim *j, uint64_t named)
{
	const struct knowledge *k = j->k;
	uint64_t shown = sheet_count(&k->sheet, 1, k->sheet.top);
	uint64_t own = k->own.whole > 0 ? k->own.lines - named : 0;
	uint64_t others = j->n - named;
	struct knowledge_fault fault = none;

	if (others <= shown || others - shown <= own)
		return check_base(j, others > own);
	if (shown < k->sheet.top)
		fault = knowledge_shown(k, 1, k->sheet.top);
	return fault.kind != CLAIM_SOUND
		   ? fault
		   : (struct knowledge_fault){
			 CLAIM_LENGTH, k->told, j->said->total};
}

static struct knowledge_fault
check_edits_loosely(struct judged_claim *j)
{
	const struct belief *b = &j->k->belief;
	struct knowledge_fault fault = check_others(j, own_lines(j->said));
	struct named named;

	if (fault.kind != CLAIM_SOUND)
		return fault;
	hide(j);
	if (is_full(j) || b->n != j->said->total)
		return none;
	named = names_of(j);
	for (uint64_t i = 0; i < j->n; i++) {
		uint32_t text = b->lines[j->said->first - 1 + i].text;

		if (!named.changed[i] && text != TEXT_NONE)
			j->lines.texts[i] = text;
	}
	return none;
}

static struct knowledge_fault
check_edits(struct judged_claim *j)
{
	uint64_t own = j->k->own.lines;

	if (own_lines(j->said) > own || own == 0)
		return (struct knowledge_fault){.kind = CLAIM_OWN};
	if (j->exact)
		return check_edits_exactly(j);
	if (would_know(j))
		return (struct knowledge_fault){.kind = CLAIM_EDITS};
	return check_edits_loosely(j);
}

/* ---- pieces ---- */

/* Find the lines of PIECE, as far as they are known. */
static struct knowledge_fault
find_piece(struct judged_claim *j, const struct said_piece *piece)
{
	uint32_t *lines = j->lines.texts + (piece->first - j->said->first);
	uint64_t n = piece->last - piece->first + 1;
	struct column text;

	switch (piece->kind) {
	case LINES_TEXT:
		text = texts_split(j->k->texts, piece->text, j->scratch);
		memcpy(lines, text.texts, n * sizeof(*lines));
		break;
	case LINES_SHOWN:
		sheet_texts(
		    &j->k->sheet, piece->former, (struct column){lines, n});
		break;
	case LINES_OWN:
		for (uint64_t i = 0; i < n; i++) {
			uint64_t number = piece->first + i;

			lines[i] =
			    j->exact ? j->now.texts[number - 1] : TEXT_HIDDEN;
			if (j->exact && !belief_line(j->k, number).own &&
			    !belief_wrote(j->k, lines[i]))
				return fault_at(CLAIM_NOT_OWN, number);
		}
		break;
	case LINES_GONE:
		break;
	}
	return none;
}

/* Are the claim's lines those of the file as it is now? */
static struct knowledge_fault
check_now(const struct judged_claim *j)
{
	uint64_t differs = 0;

	if (!j->exact) {
		if (j->read != NULL)
			differs = knowledge_differs(
			    j->k, j->said->first, j->lines, &j->read->served);
	} else {
		const uint32_t *now = j->now.texts + (j->said->first - 1);

		for (uint64_t i = 0; i < j->n && differs == 0; i++)
			if (!texts_same(now[i], j->lines.texts[i]))
				differs = j->said->first + i;
	}
	return differs > 0 ? fault_at(CLAIM_LINE, differs) : none;
}

/* All that is needed to know the claim's lines must be there. */
static struct knowledge_fault
check_pieces_there(const struct judged_claim *j, bool *shown)
{
	const struct answer_said *said = j->said;
	struct knowledge_fault fault = none;

	*shown = false;
	if (own_lines(said) > j->k->own.lines)
		return (struct knowledge_fault){.kind = CLAIM_OWN};
	for (size_t i = 0; i < said->npieces && fault.kind == CLAIM_SOUND;
	     i++) {
		const struct said_piece *p = &said->pieces[i];

		if (p->kind != LINES_SHOWN)
			continue;
		*shown = true;
		fault = knowledge_shown(
		    j->k, p->former, p->former + (p->last - p->first));
	}
	return fault;
}

/*
 * Put own lines into the claim's, which are the whole file: piece I, and those
 * after it, each from where it is now or as far from the end, in the file as
 * the reader wrote it last.  True if together they are the version that is
 * served.
 */
static bool
fill_own(struct judged_claim *j, size_t i)
{
	const struct column *last = &j->k->own.last;
	const struct said_piece *p = &j->said->pieces[i];
	struct digest have;
	struct span text;

	if (i == j->said->npieces) {
		if (!knowledge_join(j->k, j->lines, j->scratch, &text))
			return false;
		have = digest_of(text);
		return digest_eq(&have, &j->read->served);
	}
	if (p->kind != LINES_OWN)
		return fill_own(j, i + 1);
	for (int end = 0; end < 2; end++) {
		uint64_t from = p->first, n = p->last - p->first + 1;

		if (end && last->n + from <= j->n)
			continue;
		if (end)
			from = last->n + from - j->n;
		if (from > last->n || n > last->n - from + 1)
			continue;
		memcpy(j->lines.texts + (p->first - 1),
		    last->texts + (from - 1), n * sizeof(uint32_t));
		if (fill_own(j, i + 1))
			return true;
	}
	return false;
}

/*
 * The claim is about the whole file: its parts together must be the version
 * that is served, as far as they are known.
 */
static struct knowledge_fault
check_parts(struct judged_claim *j)
{
	if (j->read == NULL || j->exact || fill_own(j, 0))
		return none;
	if (own_lines(j->said) == 0 && !texts_hidden(j->lines))
		return (struct knowledge_fault){.kind = CLAIM_PARTS};
	for (size_t i = 0; i < j->said->npieces; i++) {
		const struct said_piece *p = &j->said->pieces[i];

		for (uint64_t k = p->first;
		     p->kind == LINES_OWN && k <= p->last; k++)
			j->lines.texts[k - 1] = TEXT_HIDDEN;
	}
	return none;
}

static struct knowledge_fault
check_pieces(struct judged_claim *j)
{
	const struct answer_said *said = j->said;
	bool shown;
	struct knowledge_fault fault = check_pieces_there(j, &shown);

	if (fault.kind == CLAIM_SOUND)
		fault = check_base(j, shown);
	if (fault.kind != CLAIM_SOUND)
		return fault;
	j->lines.n = j->n;
	j->lines.texts = arena_alloc(j->scratch, j->n * sizeof(uint32_t));
	for (size_t i = 0; i < said->npieces && fault.kind == CLAIM_SOUND; i++)
		fault = find_piece(j, &said->pieces[i]);
	if (fault.kind == CLAIM_SOUND)
		fault = check_now(j);
	if (fault.kind == CLAIM_SOUND && is_full(j))
		fault = check_parts(j);
	return fault;
}

/* ---- all of them ---- */

struct knowledge_fault
knowledge_judge_own(const struct knowledge *k,
    const struct known_answer *answer, struct arena *scratch,
    struct claim *claim)
{
	const struct answer_said *said = &answer->said;
	struct judged_claim j = {
	    .k = k,
	    .said = said,
	    .read = answer->meta != NULL ? &answer->meta->read : NULL,
	    .scratch = scratch,
	    .n = said->last - said->first + 1,
	};
	struct knowledge_fault fault;

	j.exact = belief_is(k, said->total,
	    j.read != NULL ? &j.read->served : NULL, scratch, &j.now);
	if (said->kind == SAID_WRITTEN)
		fault = check_written(&j);
	else if (said->kind == SAID_EDITS)
		fault = check_edits(&j);
	else
		fault = check_pieces(&j);
	claim->lines = j.lines;
	return fault;
}

/* The reader knows that these are LINES of the file. */
static void
learn(struct knowledge *k, const struct known_answer *answer,
    struct column lines, struct arena *scratch)
{
	const struct answer_said *said = &answer->said;
	bool told = answer->meta != NULL && !answer->altered;
	struct span text;

	if (said->first == 1 && said->last == said->total) {
		if (!texts_hidden(lines)) {
			if (knowledge_join(k, lines, scratch, &text))
				knowledge_whole(k, text, scratch);
			else
				knowledge_forget(k);
			return;
		}
		if (told) {
			knowledge_whole_lines(
			    k, lines, &answer->meta->read.served);
			return;
		}
	}
	knowledge_part(k, said->first, lines, said->total);
	if (told) {
		struct version version = {.hash = answer->meta->read.served,
		    .first = said->first,
		    .lines = lines,
		    .weak = true};

		versions_add(&k->versions, &version, false);
	}
}

void
knowledge_pieces(struct knowledge *k, const struct known_answer *answer,
    struct arena *scratch)
{
	const struct answer_said *said = &answer->said;
	struct claim claim;

	if (knowledge_judge(k, answer, scratch, &claim).kind == CLAIM_SOUND) {
		learn(k, answer, claim.lines, scratch);
		return;
	}
	/* What it shows is there in any case. */
	for (size_t i = 0; i < said->npieces; i++) {
		const struct said_piece *p = &said->pieces[i];

		if (p->kind == LINES_TEXT)
			knowledge_part(k, p->first,
			    texts_split(k->texts, p->text, scratch),
			    said->total);
	}
}
