/*
 * The entries that a host has sent: all of a branch at first, then what is
 * new (session.after).
 */
#include "wire/lineage.h"
#include "wire/memory_inside.h"

static void
add_mark(struct memory *memory, struct span id)
{
	struct entries_memory *entries = &memory->entries;

	if (entries->n == entries->room) {
		size_t room = entries->room > 0 ? entries->room * 2 : 64;
		struct mark *marks = arena_array(memory->arena, room,
		    sizeof(*marks));

		if (entries->n > 0)
			memcpy(marks, entries->marks,
			    entries->n * sizeof(*marks));
		entries->marks = marks;
		entries->room = room;
	}
	memory->leaf = memory_keep(memory, id);
	*map_at(entries->by_id, memory->leaf, 0) = entries->n;
	entries->marks[entries->n++] = (struct mark){memory->leaf,
	    memory->ledger.events.n, memory->ledger.events.asking};
}

/* The mark of the entry ID, or NULL if it is not on the branch. */
static const struct mark *
find_mark(const struct memory *memory, struct span id)
{
	const struct entries_memory *entries = &memory->entries;
	const uint64_t *found = map_find(entries->by_id, id);

	/* One that was cut off may have left its number to another. */
	if (found == NULL || *found >= entries->n ||
	    !span_eq(entries->marks[*found].id, id))
		return NULL;
	return &entries->marks[*found];
}

static bool
learn(struct memory *memory, struct arena *arena,
    const struct session *session)
{
	struct lineage lineage;

	memory_forget(memory);
	memory->unsettled = true;
	if (lineage_find(arena, session, &lineage) != BRANCH_OK)
		return false;
	ledger_init(&memory->ledger, memory->arena, true);
	memory->entries.by_id = map_new(memory->arena, lineage.n);
	for (size_t i = lineage.n; i > 0; i--) {
		const struct entry *entry = lineage.path[i - 1];

		events_add(&memory->ledger.events, session->doc, entry,
		    lineage_edit(&lineage, entry), 0);
		add_mark(memory, entry->id);
		/* Before an edit, what it edits would be otherwise. */
		if (entry->kind == ENTRY_CONTEXT_EDIT)
			memory->entries.firm = memory->entries.n - 1;
	}
	memory->knows = KNOWS_ENTRIES;
	memory->who = memory_keep(memory, session->id);
	return lineage.n > 0; /* a leaf that is a compaction has no mark */
}

/* Go back to the entry ID; false if that is not possible. */
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
	ledger_cut(&memory->ledger, mark->events, mark->asking);
	return true;
}

static bool
go_on(struct memory *memory, const struct session *session)
{
	struct json_items items = json_items(session->doc, session->entries);
	struct entry entry;
	struct span value;

	if (memory->knows != KNOWS_ENTRIES ||
	    !span_eq(memory->who, session->id) ||
	    !go_back(memory, session->after))
		return false;
	while (json_next(&items, &value)) {
		if (!entry_parse(session->doc, value, &entry) ||
		    !memory_extends(memory, &entry) ||
		    find_mark(memory, entry.id) != NULL)
			return false;
		events_add(&memory->ledger.events, session->doc, &entry,
		    EDIT_NONE, 0);
		add_mark(memory, entry.id);
	}
	return span_eq(memory->leaf, session->leaf_id);
}

bool
memory_follow_entries(struct memory *memory, struct arena *arena,
    const struct session *session)
{
	bool held = session->after.n > 0 ? go_on(memory, session)
					 : learn(memory, arena, session);

	if (held)
		ledger_enter(&memory->ledger);
	return held;
}
