#include "wire/memory_inside.h"

#include <stdlib.h>

/* A branch of more events than this is looked at anew each time. */
#define REMEMBER_MAX ((size_t)256 * 1024 * 1024)

struct memory *
memory_new(void)
{
	struct memory *memory = calloc(1, sizeof(*memory));

	if (memory == NULL)
		return NULL;
	memory->arena = arena_new(REMEMBER_MAX);
	if (memory->arena == NULL) {
		free(memory);
		return NULL;
	}
	return memory;
}

void
memory_free(struct memory *memory)
{
	if (memory == NULL)
		return;
	arena_free(memory->arena);
	free(memory);
}

void
memory_forget(struct memory *memory)
{
	struct arena *arena = memory->arena;

	arena_reset(arena);
	*memory = (struct memory){.arena = arena};
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
	    entry->kind != ENTRY_COMPACTION &&
	    entry->kind != ENTRY_CONTEXT_EDIT;
}

/* As memory_follow, but what it leaves behind may have to be forgotten. */
static bool
follow(struct memory *memory, struct arena *arena,
    const struct session *session)
{
	if (setjmp(*arena_guard(memory->arena)) != 0)
		return false; /* more than may be remembered */
	return session->source == SESSION_FILE
	    ? memory_follow_file(memory, arena, session)
	    : memory_follow_entries(memory, arena, session);
}

bool
memory_follow(struct memory *memory, struct arena *arena,
    const struct session *session)
{
	/* Only a host that names its sessions will come back to one. */
	if (session->source == SESSION_ENTRIES && session->id.n == 0)
		return false;
	if (memory->unsettled)
		memory_forget(memory);
	memory->unsettled = true;
	if (!follow(memory, arena, session)) {
		memory_forget(memory);
		return false;
	}
	memory->unsettled = false;
	return true;
}

void
memory_events(const struct memory *memory, const struct focus *focus,
    struct events *events)
{
	ledger_find(&memory->ledger, focus, events);
}
