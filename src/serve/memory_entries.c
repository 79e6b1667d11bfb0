/*
 * The entries that a host has sent: a whole branch at first, then what is new
 * (session.after).
 */
#include "host/host.h"
#include "json/json_syntax.h"
#include "serve/memory_inside.h"
#include "session/lineage.h"

static void
add_mark(struct memory *memory, struct span id)
{
	struct entries_memory *entries = &memory->entries;

	entries->marks = arena_more(memory->arena, entries->marks, entries->n,
	    &entries->room, sizeof(*entries->marks));
	memory->leaf = memory_keep(memory, id);
	*map_at(entries->by_id, memory->leaf, 0) = entries->n;
	entries->marks[entries->n++] = (struct mark){memory->leaf,
	    memory->ledger.events.n, memory->ledger.events.turn};
}

/* The mark of the entry ID, or NULL if it is not on the branch. */
static const struct mark *
find_mark(const struct memory *memory, struct span id)
{
	const struct entries_memory *entries = &memory->entries;
	const uint64_t *found = map_find(entries->by_id, id);

	/* An entry that was cut off may have left its number to another. */
	if (found == NULL || *found >= entries->n ||
	    !span_eq(entries->marks[*found].id, id))
		return NULL;
	return &entries->marks[*found];
}

/* Longer branches are loaded again each time. */
#define TEXT_MAX ((size_t)16 * 1024 * 1024)

/* ENTRIES without the closing bracket; empty if there are no items. */
static struct span
items_of(struct span entries)
{
	entries.n--;
	while (entries.n > 1 && is_blank(entries.p[entries.n - 1]))
		entries.n--;
	return entries.n > 1 ? entries : SPAN("");
}

/* Keep the text of SESSION's entries, and nothing else. */
static enum followed
keep_text(struct memory *memory, const struct session *session)
{
	struct span items = items_of(session->entries);

	if (items.n > TEXT_MAX || session->leaf != LEAF_ID)
		return FOLLOWED_LOST;
	memory_forget(memory);
	memory->unsettled = true;
	memory->knows = KNOWS_ENTRIES;
	memory->who = memory_keep(memory, session->id);
	memory->leaf = memory_keep(memory, session->leaf_id);
	memory->entries.text = buf_new(memory->arena, items.n * 2);
	buf_add(&memory->entries.text, items);
	return FOLLOWED_NOT;
}

/* Was ENTRY parsed from VALUE?  Only known if its id has no escapes. */
static bool
is_of(const struct entry *entry, struct span value)
{
	return entry->id.p >= value.p && entry->id.p < value.p + value.n;
}

/* Do SESSION's entries begin with the text KNOWN? */
static bool
begins_with(const struct session *session, struct span known)
{
	struct span entries = session->entries;
	char next;

	if (session->doc->leapt == entries.p + known.n)
		return true; /* this was found while they were validated */
	if (!span_starts(entries, known) || entries.n == known.n)
		return false;
	next = entries.p[known.n];
	return next == ',' || next == ']' || is_blank(next);
}

/*
 * Note the ids that no later entry may have: those of entries that are not on
 * the branch, and the one that was looked for above its oldest entry.  With
 * such an entry the branch would be another one, or there would be none.
 */
static void
note_beside(struct memory *memory, const struct session *session,
    const struct lineage *lineage)
{
	struct json_items items = json_items(session->doc, session->entries);
	struct entry entry;
	struct span value;

	memory->entries.beside = seen_new(memory->arena);
	while (json_next(&items, &value))
		if (host->entry(session->doc, value, &entry) &&
		    find_mark(memory, entry.id) == NULL)
			(void)seen_add(memory->entries.beside, entry.id);
	if (lineage->n > 0)
		(void)seen_add(memory->entries.beside,
		    lineage->path[lineage->n - 1]->parent);
}

/*
 * Put the branch that SESSION's entries have into the ledger.  *PLAIN: there
 * are no other entries, and they are in order.  False if that is not possible.
 */
static bool
learn(struct memory *memory, struct arena *arena,
    const struct session *session, bool *plain)
{
	struct entries_memory *entries = &memory->entries;
	struct json_items items = json_items(session->doc, session->entries);
	struct lineage lineage;
	struct span value;

	if (lineage_find(arena, session, host->entry, &lineage) != BRANCH_OK)
		return false;
	ledger_init(&memory->ledger, memory->arena, true);
	entries->by_id = map_new(memory->arena, lineage.n);
	*plain = true;
	for (size_t i = lineage.n; i > 0; i--) {
		const struct entry *entry = lineage.path[i - 1];

		host->add(&memory->ledger.events, session->doc, entry,
		    lineage_edit(&lineage, entry), 0);
		add_mark(memory, entry->id);
		/*
		 * If it went back before an edit, the edited entries would
		 * change.
		 */
		if (entry_reaches_back(entry->kind))
			entries->firm = entries->n - 1;
		*plain = *plain && json_next(&items, &value) &&
		    is_of(entry, value);
	}
	*plain = *plain && !json_next(&items, &value);
	note_beside(memory, session, &lineage);
	entries->learned = true;
	return lineage.n > 0; /* a leaf that is a compaction has no mark */
}

/* Learn what the kept text says. */
static bool
learn_text(struct memory *memory, struct arena *arena)
{
	struct entries_memory *entries = &memory->entries;
	struct json_doc doc;
	struct session session = {
	    .doc = &doc,
	    .source = SESSION_ENTRIES,
	    .leaf = LEAF_ID,
	    .leaf_id = memory->leaf,
	};
	bool plain;

	if (entries->text.n == 0)
		return false;
	buf_char(&entries->text, ']');
	session.entries = buf_span(&entries->text);
	entries->text.n--;
	return json_judge(arena, session.entries, &doc) &&
	    learn(memory, arena, &session, &plain);
}

/* Go back to the entry ID.  False if that is not possible. */
static bool
go_back(struct memory *memory, struct span id)
{
	struct entries_memory *entries = &memory->entries;
	const struct mark *mark = find_mark(memory, id);
	size_t number;

	if (mark == NULL)
		return false;
	number = (size_t)(mark - entries->marks);
	if (number < entries->firm)
		return false;
	if (number + 1 == entries->n)
		return true;
	entries->n = number + 1;
	memory->leaf = mark->id;
	folds_cut(memory->folds, mark->events);
	ledger_cut(&memory->ledger, mark->events, mark->turn);
	return true;
}

/* Add the remaining entries of ITEMS.  False if they do not follow. */
static bool
add_items(struct memory *memory, const struct session *session,
    struct json_items items)
{
	struct entry entry;
	struct span value;

	while (json_next(&items, &value)) {
		if (!host->entry(session->doc, value, &entry) ||
		    !memory_extends(memory, &entry) ||
		    find_mark(memory, entry.id) != NULL ||
		    seen_has(memory->entries.beside, entry.id))
			return false;
		host->add(&memory->ledger.events, session->doc, &entry,
		    EDIT_NONE, 0);
		add_mark(memory, entry.id);
	}
	return span_eq(memory->leaf, session->leaf_id);
}

/* Follow a session of which only what is new was sent. */
static enum followed
follow_after(struct memory *memory, struct arena *arena,
    const struct session *session)
{
	struct entries_memory *entries = &memory->entries;

	if (memory->knows != KNOWS_ENTRIES || memory->who.n == 0 ||
	    !span_eq(memory->who, session->id) ||
	    (!entries->learned && !learn_text(memory, arena)) ||
	    !go_back(memory, session->after) ||
	    !add_items(memory, session,
		json_items(session->doc, session->entries)))
		return FOLLOWED_LOST;
	entries->text.n = 0; /* now there is more than it says */
	return FOLLOWED;
}

/* Everything was sent.  Does it begin with what was sent the last time? */
static enum followed
follow_whole(struct memory *memory, struct arena *arena,
    const struct session *session)
{
	struct entries_memory *entries = &memory->entries;
	struct span items = items_of(session->entries);
	struct span known = buf_span(&entries->text);
	struct json_items rest = json_items(session->doc, session->entries);
	bool plain = true;

	if (memory->knows != KNOWS_ENTRIES || known.n == 0 ||
	    !span_eq(memory->who, session->id) || !begins_with(session, known))
		return keep_text(memory, session);
	if (!entries->learned) {
		/* It was sent for the second time: remember it from now on. */
		if (!learn(memory, arena, session, &plain) || !plain)
			return keep_text(memory, session);
	} else {
		rest.p = session->entries.p + known.n;
		if (!add_items(memory, session, rest))
			return keep_text(memory, session);
	}
	buf_add(&entries->text, span_from(items, known.n));
	return FOLLOWED;
}

enum followed
memory_follow_entries(struct memory *memory, struct arena *arena,
    const struct session *session)
{
	enum followed followed = session->after.n > 0
	    ? follow_after(memory, arena, session)
	    : follow_whole(memory, arena, session);

	if (followed == FOLLOWED)
		ledger_enter(&memory->ledger);
	return followed;
}
