#include "inspect/report_events.h"

#include "host/host.h"

/* More than how far back an event's call is searched (events.c). */
enum { ASSISTANTS_BACK = 80 };

static const struct focus everything = {
    .path = {"", 0},
    .name = {"", 0},
    .bytes = {"", 0},
};

struct report_events
report_events(const struct index *index)
{
	size_t n = (size_t)index->n + 1;

	return (struct report_events){
	    index,
	    arena_array(index->arena, n, sizeof(struct event *)),
	    arena_array(index->arena, n, sizeof(bool)),
	};
}

static struct events
load(const struct report_events *store, const struct index_path *path,
    uint32_t from, uint32_t to, struct arena *arena)
{
	struct focus focus = everything;
	struct index_path part = {.nodes = path->nodes + from,
	    .n = to - from,
	    .compaction = NODE_NONE};
	struct events events;

	focus.hash = digest_of(focus.bytes);
	events = host->events(store->index, &part, &focus, arena);
	/* What is on the stack here must not go out with them. */
	return (struct events){.arena = arena,
	    .list = events.list,
	    .n = events.n,
	    .room = events.room};
}

static bool
has_edit(const struct report_events *store, const struct index_path *path,
    uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		if (store->index->nodes[path->nodes[i]].kind ==
		    NODE_CONTEXT_EDIT)
			return true;
	return false;
}

/* Where to begin so that the calls of events before AT are found, if near. */
static uint32_t
look_back(const struct report_events *store, const struct index_path *path,
    uint32_t from, uint32_t at)
{
	int assistants = 0;

	while (at > from && assistants < ASSISTANTS_BACK)
		assistants += store->index->nodes[path->nodes[--at]].kind ==
		    NODE_ASSISTANT;
	return at;
}

/* Load the events from FIRST on. */
static void
learn(struct report_events *store, const struct index_path *path,
    uint32_t from, uint32_t first, uint32_t to)
{
	struct events events = load(store, path,
	    look_back(store, path, from, first), to, store->index->arena);

	for (size_t i = 0; i < events.n; i++)
		if (events.list[i].at >= path->nodes[first])
			store->of[events.list[i].at] = &events.list[i];
	for (uint32_t i = first; i < to; i++)
		store->known[path->nodes[i]] = true;
}

struct events
report_events_get(struct report_events *store, const struct index_path *path,
    uint32_t from, uint32_t to, struct arena *arena)
{
	struct events events = {.arena = arena};
	uint32_t first = from;

	/* What an edit does depends on the branch it is on. */
	if (has_edit(store, path, from, to))
		return load(store, path, from, to, arena);
	while (first < to && store->known[path->nodes[first]])
		first++;
	if (first < to)
		learn(store, path, from, first, to);
	for (uint32_t i = from; i < to; i++)
		if (store->of[path->nodes[i]] != NULL)
			events_append(&events, store->of[path->nodes[i]]);
	return events;
}
