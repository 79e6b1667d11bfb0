/*
 * What the reader believes after changes of its own: the last texts shown, with
 * its calls applied to them.
 *
 * In the place of a line that it does not know stands TEXTS_HIDDEN, so that no
 * old text of its edits is found there.  If an old text is not found exactly
 * once, somebody else has changed the file.  Then nothing is believed but what
 * is shown or written after that.
 */
#include "base/lines.h"
#include "diff/replace.h"
#include "inspect/knowledge_inside.h"
#include "os/bytes.h"

enum {
	LINES_MAX = 1 << 18, /* files of more lines are not followed */
	ENDS_MAX = 256	     /* if there are more, any line may be an own one */
};

void
belief_end(struct knowledge *k)
{
	k->belief.there = k->belief.firm = k->belief.written = false;
	k->belief.untold = k->belief.cut_end = false;
	k->belief.n = 0;
	k->own.older_cuts = k->own.cuts > 0;
}

/* The reader wrote a line TEXT. */
static void
note_written(struct knowledge *k, uint32_t text)
{
	struct writings *own = &k->own;

	if (text >= own->room) {
		uint32_t room = 2 * text;
		bool *texts = arena_array(k->arena, room, sizeof(*texts));

		if (own->room > 0)
			memcpy(texts, own->texts, own->room);
		own->texts = texts;
		own->room = room;
	}
	own->texts[text] = true;
}

bool
belief_wrote(const struct knowledge *k, uint32_t text)
{
	const struct writings *own = &k->own;
	struct span line = k->texts->list[text];

	if ((text < own->room && own->texts[text]) || own->nends == ENDS_MAX)
		return true;
	if (!knowledge_pay(k, own->nends, own->nends * line.n))
		return false;
	for (size_t i = 0; i < own->nends; i++)
		if (bytes_find(line.p, line.n, own->ends[i].p,
			own->ends[i].n) != NULL)
			return true;
	return false;
}

/*
 * Begin anew: there are N lines, and nothing is believed of them.  False if
 * they are too many to be followed.
 */
static bool
believe_nothing(struct knowledge *k, uint64_t n)
{
	struct belief *b = &k->belief;
	bool follow = n <= LINES_MAX && knowledge_pay(k, n, 0);

	b->there = true;
	b->firm = b->written = b->cut_end = false;
	b->n = follow ? n : 0;
	if (b->n > b->room) {
		b->room = b->n * 2;
		b->lines = arena_array(
		    k->arena, b->room, sizeof(*b->lines));
	}
	for (uint64_t i = 0; i < b->n; i++)
		b->lines[i] = (struct belief_line){.text = TEXT_NONE};
	return follow;
}

/* Believe what the sheet says. */
static void
believe_sheet(struct knowledge *k)
{
	struct belief *b = &k->belief;
	uint64_t n = k->told > k->sheet.top ? k->told : k->sheet.top;

	if (!believe_nothing(k, n))
		return;
	b->firm = k->has_whole && b->n == k->whole.n;
	for (uint64_t i = 0; i < b->n; i++) {
		const struct sheet_line *line = sheet_find(&k->sheet, i + 1);

		if (line != NULL)
			b->lines[i] = (struct belief_line){
			    .text = line->text, .since = line->since};
		b->firm = b->firm && b->lines[i].text > TEXT_HIDDEN &&
			  b->lines[i].text == k->whole.texts[i];
	}
}

void
belief_show(struct knowledge *k, uint64_t first, struct column lines,
    uint64_t total)
{
	struct belief *b = &k->belief;
	uint64_t last = first + lines.n - 1;

	if (!b->there)
		return;
	if (b->n != total)
		(void)believe_nothing(k, total);
	for (uint64_t i = first; i <= last && i <= b->n; i++) {
		struct belief_line *line = &b->lines[i - 1];

		b->firm = b->firm &&
			  texts_same(line->text, lines.texts[i - first]);
		*line = (struct belief_line){
		    .text = lines.texts[i - first], .since = true};
	}
	if (last == total)
		b->cut_end = false;
}

void
belief_lose(struct knowledge *k, uint64_t line)
{
	struct belief *b = &k->belief;

	if (!b->there || line > b->n)
		return;
	b->firm = false;
	b->lines[line - 1] = (struct belief_line){.text = TEXT_NONE};
}

/* Do the known lines end with CR?  Then those that are not known do, too. */
static bool
has_crlf(const struct knowledge *k)
{
	const struct belief *b = &k->belief;

	for (uint64_t i = 0; i + 1 < b->n; i++) {
		struct span line = k->texts->list[b->lines[i].text];

		if (b->lines[i].text > TEXT_HIDDEN)
			return line.n > 0 && line.p[line.n - 1] == '\r';
	}
	return false;
}

/* The file as it is believed to be.  False if that is too much. */
static bool
believed_text(
    const struct knowledge *k, struct arena *scratch, struct span *whole)
{
	const struct belief *b = &k->belief;
	struct span hidden =
	    has_crlf(k) ? SPAN(TEXTS_HIDDEN "\r") : SPAN(TEXTS_HIDDEN);
	struct buf out = buf_new(scratch, 4096);
	uint64_t bytes = 0;

	for (uint64_t i = 0; i < b->n; i++)
		bytes += k->texts->list[b->lines[i].text].n;
	if (!knowledge_pay(k, b->n, bytes))
		return false;
	for (uint64_t i = 0; i < b->n; i++) {
		uint32_t text = b->lines[i].text;

		if (i > 0)
			buf_char(&out, '\n');
		if (text > TEXT_HIDDEN)
			buf_add(&out, k->texts->list[text]);
		else
			buf_add(&out, hidden);
	}
	*whole = buf_span(&out);
	return true;
}

/* The new LINE, which comes from ORIGIN of the lines that were believed. */
static struct belief_line
changed_line(struct knowledge *k, struct span line,
    const struct line_origin *origin)
{
	struct belief_line old = {.text = TEXT_NONE};
	struct span hidden = SPAN(TEXTS_HIDDEN);

	if (origin->line > 0)
		old = k->belief.lines[origin->line - 1];
	if (bytes_find(line.p, line.n, hidden.p, hidden.n) == NULL)
		old.text = texts_number(k->texts, line);
	old.own = old.own || origin->own;
	old.edited = old.edited || origin->own;
	old.cut = old.cut || origin->cut;
	k->own.cuts += origin->cut;
	if (origin->own)
		note_written(k, old.text);
	return old;
}

/* Apply the edits of OWN to what is believed.  False if that fails. */
static bool
apply_edits(struct knowledge *k, const struct own_change *own,
    struct arena *scratch)
{
	struct belief *b = &k->belief;
	struct span rest;
	struct belief_line *lines;
	struct replaced made;

	if (b->n == 0)
		return false;
	/* To look for bytes costs an eighth of hashing them. */
	if (!believed_text(k, scratch, &rest) ||
	    !knowledge_pay(k, b->n, rest.n * (1 + own->n) / 8)) {
		b->untold = true;
		return false;
	}
	if (!replace_apply(scratch, rest, own->list, own->n, &made) ||
	    made.lines > LINES_MAX)
		return false;
	lines = arena_array(scratch, made.lines, sizeof(*lines));
	rest = made.text;
	for (uint64_t i = 0; i < made.lines; i++)
		lines[i] = changed_line(k, lines_take(&rest), &made.origins[i]);
	if (made.lines > b->room) {
		b->room = made.lines * 2;
		b->lines = arena_array(
		    k->arena, b->room, sizeof(*b->lines));
	}
	memcpy(b->lines, lines, made.lines * sizeof(*lines));
	b->n = made.lines;
	b->cut_end = b->cut_end || made.cut_end;
	k->own.cuts += made.cut_end;
	return true;
}

/* Keep the whole file as it is after a change by the reader. */
static void
keep_last(struct knowledge *k)
{
	const struct belief *b = &k->belief;
	struct writings *own = &k->own;

	if (b->n > own->last_room) {
		own->last_room = b->n * 2;
		own->last.texts = arena_array(
		    k->arena, own->last_room, sizeof(uint32_t));
	}
	own->last.n = 0;
	for (uint64_t i = 0; i < b->n; i++) {
		if (b->lines[i].text <= TEXT_HIDDEN)
			return;
		own->last.texts[i] = b->lines[i].text;
	}
	own->last.n = b->n;
}

static void
add_end(struct knowledge *k, uint32_t text)
{
	struct writings *own = &k->own;

	if (own->nends == ENDS_MAX)
		return;
	own->ends = arena_more(k->arena, own->ends, own->nends,
	    &own->ends_room, sizeof(*own->ends));
	own->ends[own->nends++] = k->texts->list[text];
}

/* The reader wrote TEXT into a line, or in the place of some. */
static void
note_text(struct knowledge *k, struct span text, struct arena *scratch)
{
	struct column lines = texts_split(k->texts, text, scratch);

	for (uint64_t i = 0; i < lines.n; i++) {
		struct span line = k->texts->list[lines.texts[i]];
		struct buf other = buf_new(scratch, line.n + 1);

		/* The host keeps to the line ends that the file has. */
		if (line.n > 0 && line.p[line.n - 1] == '\r')
			line.n--;
		buf_add(&other, line);
		buf_char(&other, '\r');
		note_written(k, texts_number(k->texts, line));
		note_written(k, texts_number(k->texts, buf_span(&other)));
		if (i == 0 || i == lines.n - 1)
			add_end(k, texts_number(k->texts, line));
	}
}

static void
take_edits(struct knowledge *k, const struct own_change *own,
    struct arena *scratch)
{
	for (size_t i = 0; i < own->n; i++)
		k->own.lines += lines_count(own->list[i].new_text);
	if (!k->belief.there)
		believe_sheet(k);
	if (apply_edits(k, own, scratch))
		return;
	(void)believe_nothing(k, 0);
	k->own.cuts++;
	for (size_t i = 0; i < own->n; i++)
		note_text(k, own->list[i].new_text, scratch);
}

static void
take_write(struct knowledge *k, const struct own_change *own,
    struct arena *scratch)
{
	struct belief *b = &k->belief;
	struct column lines = texts_split(k->texts, own->content, scratch);

	k->own.lines += lines.n;
	k->own.whole++;
	(void)believe_nothing(k, lines.n);
	b->firm = b->written = true;
	b->untold = b->untold || b->n < lines.n;
	for (uint64_t i = 0; i < lines.n; i++)
		note_written(k, lines.texts[i]);
	for (uint64_t i = 0; i < b->n; i++)
		b->lines[i] = (struct belief_line){
		    .text = lines.texts[i], .own = true};
}

void
knowledge_own(struct knowledge *k, const struct own_change *own,
    struct arena *scratch)
{
	struct span id;

	if (own == NULL) {
		(void)believe_nothing(k, 0);
		return;
	}
	id = (struct span){
	    arena_cstr(k->arena, own->call_id), own->call_id.n};
	++*map_at(k->own.calls, id, 0);
	if (own->kind == OWN_WRITE)
		take_write(k, own, scratch);
	else
		take_edits(k, own, scratch);
	if (k->belief.n > 0)
		keep_last(k);
}

struct belief_line
belief_line(const struct knowledge *k, uint64_t number)
{
	return k->belief.there ? k->belief.lines[number - 1]
			       : (struct belief_line){
				     .text = k->whole.texts[number - 1]};
}

bool
belief_is(const struct knowledge *k, uint64_t n, const struct digest *hash,
    struct arena *scratch, struct column *lines)
{
	const struct belief *b = &k->belief;
	struct digest have;
	struct span text;

	if (!b->there) {
		*lines = k->whole;
		return k->has_whole && k->whole.n == n &&
		       (hash == NULL || digest_eq(hash, &k->whole_hash)) &&
		       !texts_hidden(k->whole);
	}
	if (b->n != n || n == 0)
		return false;
	lines->n = n;
	lines->texts = arena_alloc(scratch, n * sizeof(uint32_t));
	for (uint64_t i = 0; i < n; i++) {
		lines->texts[i] = b->lines[i].text;
		if (lines->texts[i] <= TEXT_HIDDEN)
			return false;
	}
	if (hash == NULL)
		return b->firm;
	if (!knowledge_join(k, *lines, scratch, &text))
		return false;
	have = digest_of(text);
	return digest_eq(&have, hash);
}
