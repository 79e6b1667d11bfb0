#include "inspect/witness.h"

#include "base/lines.h"
#include "diff/unified.h"
#include "host/host.h"
#include "inspect/knowledge.h"

/*
 * What is known about a name after the first TAKEN events.  Texts need memory,
 * so only some names have them at a time.  A whole version that was proven to
 * be known is where learning starts again.
 */
struct known_name {
	struct known_name *next;
	struct span name;
	struct knowledge *knowledge; /* NULL: to be learned again */
	size_t taken;
	bool proven; /* VERSION was known after LEARNED events */
	struct digest version;
	size_t learned;
};

enum { LEARNED_MAX = 48 }; /* names with knowledge at a time */

struct witness {
	const struct session_records *records;
	const struct library *library;
	struct arena *arena; /* for the names */
	struct arena *texts; /* for what is known about them */
	struct budget work;  /* of all of that */
	struct known_name *known;
	size_t n; /* names with knowledge */
	struct arena *kept; /* for the texts of answers in pieces: */
	struct map *pieced; /* node -> struct span * */
};

struct witness *
witness_new(const struct session_records *records,
    const struct library *library, struct arena *arena)
{
	struct witness *witness = arena_array(arena, 1, sizeof(*witness));

	witness->records = records;
	witness->library = library;
	witness->arena = arena_scratch(arena);
	witness->texts = arena_scratch(arena);
	witness->work = knowledge_budget(records->index->bytes);
	witness->kept = arena_scratch(arena);
	witness->pieced = map_new(witness->kept, 16);
	return witness;
}

/* Free the texts: every name is learned again when it is needed. */
static void
drop_texts(struct witness *witness)
{
	arena_reset(witness->texts);
	witness->n = 0;
	for (struct known_name *k = witness->known; k != NULL; k = k->next)
		k->knowledge = NULL;
}

void
witness_forget(struct witness *witness)
{
	drop_texts(witness);
	arena_reset(witness->arena);
	witness->known = NULL;
}

/* Is EVENT a change of the file by the reader of NAME? */
static bool
is_change(const struct event *event, struct span name)
{
	return event->kind == EVENT_EDITED && span_eq(event->name, name);
}

/*
 * Start with nothing, or with the version that was proven to be known after some
 * of EVENTS.  What the reader wrote it has in any case.
 */
static void
begin_again(struct witness *w, struct known_name *known,
    const struct events *events, struct arena *scratch)
{
	struct known_answer whole = {.said = {.kind = SAID_TEXT, .first = 1}};
	struct piece piece;

	if (w->n == LEARNED_MAX)
		drop_texts(w);
	w->n++;
	known->knowledge = knowledge_new(w->texts, &w->work);
	known->taken = 0;
	if (!known->proven ||
	    !w->library->load(w->library->context, &known->version, &piece))
		return;
	for (size_t i = 0; i < known->learned; i++)
		if (is_change(&events->list[i], known->name))
			knowledge_own(known->knowledge, events->list[i].own,
			    scratch);
	whole.said.text = piece.text;
	whole.said.last = whole.said.total = lines_count(piece.text);
	knowledge_take(known->knowledge, &whole, scratch);
	known->taken = known->learned;
}

static struct known_name *
known_of(struct witness *w, struct span name, const struct events *events,
    struct arena *scratch)
{
	struct known_name *known = w->known;

	while (known != NULL && !span_eq(known->name, name))
		known = known->next;
	if (known == NULL) {
		known = arena_array(w->arena, 1, sizeof(*known));
		known->next = w->known;
		known->name = name;
		w->known = known;
	}
	if (known->knowledge == NULL)
		begin_again(w, known, events, scratch);
	return known;
}

/* A true answer about the whole file proves that its base is known. */
static void
note_proof(struct known_name *known, const struct event *claim)
{
	if (claim->scope.kind != SCOPE_FULL || claim->pieces > 0)
		return; /* in pieces it may rest on several versions */
	known->proven = true;
	known->version = claim->mode == MODE_DIFF ? claim->base
						  : claim->served;
	known->learned = known->taken;
}

/* The text that an anchor showed, as it was recorded. */
static struct answer_said
said_text(const struct witness *w, const struct event *event,
    struct arena *scratch)
{
	struct answer_said said = {.kind = SAID_UNKNOWN, .text = SPAN("")};
	bool full = event->scope.kind == SCOPE_FULL;
	uint64_t first = full ? 0 : event->scope.first;
	uint64_t limit = full ? 0 : event->scope.last - first + 1;
	struct span text;
	struct view view;

	if (!host->text(w->records, event->at, scratch, &text) ||
	    !host->recorded(scratch, text, first, limit, &view))
		return said;
	return (struct answer_said){.kind = SAID_TEXT, .first = view.first,
	    .last = view.last, .total = view.total, .text = view.text};
}

/* The diff that was served, made again. */
static struct answer_said
said_diff(const struct witness *w, const struct event *event,
    struct arena *scratch)
{
	struct answer_said said = {.kind = SAID_UNKNOWN, .text = SPAN("")};
	const struct library *library = w->library;
	struct piece old, now;
	struct diff diff;

	if (!library->load(library->context, &event->base, &old) ||
	    !library->load(library->context, &event->served, &now) ||
	    !diff_make(scratch, old.text, now.text, &diff))
		return said;
	return (struct answer_said){.kind = SAID_DIFF, .total = event->total,
	    .text = diff.hunks};
}

static struct span
node_name(const uint32_t *node)
{
	return (struct span){(const char *)node, sizeof(*node)};
}

/* Keep TEXT, the answer in pieces at NODE. */
static void
keep_pieced(struct witness *w, uint32_t node, struct span text)
{
	uint32_t *at = arena_alloc(w->kept, sizeof(*at));
	struct span *kept = arena_alloc(w->kept, sizeof(*kept));

	*at = node;
	*kept = (struct span){arena_cstr(w->kept, text), text.n};
	*map_at(w->pieced, node_name(at), 0) = (uintptr_t)kept;
}

/* What the answer in pieces at NODE said. */
static struct answer_said
said_pieced(const struct witness *w, uint32_t node, struct arena *scratch)
{
	const uint64_t *found = map_find(w->pieced, node_name(&node));
	struct answer_said said = {.kind = SAID_UNKNOWN, .text = SPAN("")};

	if (found == NULL ||
	    !said_compact(
		scratch, *(const struct span *)(uintptr_t)*found, &said))
		said.kind = SAID_UNKNOWN;
	return said;
}

/* What a reader sees of EVENT, which is about the reader's file. */
static struct answer_said
said_by(const struct witness *w, const struct event *event,
    struct arena *scratch)
{
	struct answer_said said = {.kind = SAID_UNKNOWN, .text = SPAN("")};

	if (event->kind != EVENT_READ)
		return said;
	if (event->pieces > 0)
		return said_pieced(w, event->at, scratch);
	switch (event->mode) {
	case MODE_FULL:
	case MODE_FALLBACK:
		return said_text(w, event, scratch);
	case MODE_DIFF:
		return said_diff(w, event, scratch);
	case MODE_UNCHANGED:
		said.kind = SAID_SAME;
		said.first = 1;
		said.last = said.total = event->total;
		return said;
	case MODE_UNCHANGED_RANGE:
		said.kind = SAID_SAME_LINES;
		said.first = event->scope.first;
		said.last = event->scope.last;
		return said;
	case MODE_PLAIN:
	case MODE_COUNT:
		break;
	}
	return said;
}

/* Does the reader of NAME see something by EVENT? */
static bool
is_seen(const struct event *event, struct span name)
{
	switch (event->kind) {
	case EVENT_READ:
	case EVENT_BLIND:
		return span_eq(event->name, name);
	case EVENT_SIGHTING:
		return event->veiled && span_eq(event->name, name);
	case EVENT_FORGET:
		return true; /* it may be any file */
	case EVENT_INVALIDATE:
	case EVENT_EDIT_FAILED:
	case EVENT_EDITED:
		break;
	}
	return false;
}

bool
witness_agrees(struct witness *w, const struct events *events,
    const struct event *claim, struct span text, struct arena *scratch)
{
	struct known_name *known =
	    known_of(w, claim->name, events, scratch);
	struct meta meta = {.read = *claim, .text_hash = SPAN("")};
	struct known_answer answer = {.meta = &meta, .sealed = true};

	for (; known->taken < events->n; known->taken++) {
		const struct event *event = &events->list[known->taken];
		struct meta seen = {.read = *event, .text_hash = SPAN("")};
		struct known_answer before = {.meta = &seen, .sealed = true};

		if (is_change(event, claim->name))
			knowledge_own(known->knowledge, event->own, scratch);
		if (!is_seen(event, claim->name))
			continue;
		before.said = said_by(w, event, scratch);
		if (before.said.kind == SAID_UNKNOWN)
			before.meta = NULL;
		knowledge_take(known->knowledge, &before, scratch);
	}
	if (claim->pieces > 0)
		keep_pieced(w, claim->at, text);
	if (!said_compact(scratch, text, &answer.said) ||
	    knowledge_check(known->knowledge, &answer, scratch).kind !=
		CLAIM_SOUND)
		return false;
	note_proof(known, claim);
	return true;
}
