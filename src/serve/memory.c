#include "serve/memory_inside.h"

#include <stdlib.h>

/* A branch that needs more memory is loaded again each time. */
#define REMEMBER_MAX ((size_t)256 * 1024 * 1024)

struct memory *
memory_new(void)
{
	struct memory *memory = calloc(1, sizeof(*memory));

	if (memory == NULL)
		return NULL;
	memory->arena = arena_new(REMEMBER_MAX);
	memory->folds = folds_new();
	if (memory->arena == NULL || memory->folds == NULL) {
		memory_free(memory);
		return NULL;
	}
	return memory;
}

void
memory_free(struct memory *memory)
{
	if (memory == NULL)
		return;
	folds_free(memory->folds);
	arena_free(memory->arena);
	free(memory);
}

void
memory_forget(struct memory *memory)
{
	struct memory empty;

	if (memory == NULL)
		return;
	folds_forget(memory->folds); /* they use texts of the arena */
	arena_reset(memory->arena);
	empty = (struct memory){.arena = memory->arena, .folds = memory->folds};
	*memory = empty;
}

struct span
memory_keep(struct memory *memory, struct span text)
{
	return (struct span){arena_cstr(memory->arena, text), text.n};
}

bool
memory_extends(const struct memory *memory, const struct entry *entry)
{
	return span_eq(entry->parent, memory->leaf) &&
	    !entry_reaches_back(entry->kind);
}

struct span
memory_known(const struct memory *memory)
{
	const struct entries_memory *entries = &memory->entries;

	if (memory->knows != KNOWS_ENTRIES || memory->unsettled ||
	    !entries->learned || entries->text.n < 2)
		return SPAN("");
	return span_from(buf_span(&entries->text), 1);
}

static enum followed
follow(struct memory *memory, struct arena *arena,
    const struct session *session)
{
	if (setjmp(*arena_guard(memory->arena)) != 0)
		return FOLLOWED_LOST; /* more than may be remembered */
	return session->source == SESSION_FILE
	    ? memory_follow_file(memory, arena, session)
	    : memory_follow_entries(memory, arena, session);
}

bool
memory_follow(struct memory *memory, struct arena *arena,
    const struct session *session)
{
	enum followed followed;

	if (memory->unsettled)
		memory_forget(memory);
	memory->unsettled = true;
	followed = follow(memory, arena, session);
	if (followed == FOLLOWED_LOST)
		memory_forget(memory);
	memory->unsettled = false;
	return followed == FOLLOWED;
}

void
memory_events(const struct memory *memory, const struct focus *focus,
    struct events *events)
{
	ledger_find(&memory->ledger, focus, 0, events);
}

struct turn
memory_turn(const struct memory *memory)
{
	return memory->ledger.events.turn;
}

const struct trust *
memory_trust(struct memory *memory, struct arena *arena,
    const struct history_where *where, const struct focus *focus)
{
	return folds_trust(memory->folds, &memory->ledger, arena, where, focus);
}

void
memory_dirs(
    const struct memory *memory, struct arena *arena, struct dirs *dirs)
{
	const struct dirs *known = &memory->file.dirs;

	for (size_t i = 0; i < known->n; i++)
		dirs_add(dirs, arena, known->list[i]);
	dirs->untold = dirs->untold || known->untold;
}
