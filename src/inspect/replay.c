#include "inspect/replay.h"

#include "base/budget.h"
#include "host/host.h"
#include "serve/history.h"

static void
count_modes(const struct events *events, struct replay *replay)
{
	for (size_t i = 0; i < events->n; i++) {
		const struct event *event = &events->list[i];

		if (event->kind == EVENT_READ || event->kind == EVENT_SIGHTING)
			replay->modes[event->mode]++;
	}
}

static void
list_ignored(const struct events *events, struct arena *arena,
    struct replay *replay)
{
	replay->ignored = arena_array(arena, events->n + 1,
	    sizeof(*replay->ignored));
	for (size_t i = 0; i < events->n; i++) {
		const struct event *event = &events->list[i];

		if (event->doubt == DOUBT_NONE)
			continue;
		replay->ignored[replay->nignored++] =
		    (struct replay_ignored){
			event->at, event->doubt, event->pieces > 0};
	}
}

bool
replay_leaf(const struct index *index, uint32_t leaf,
    const struct history_where *where, struct arena *arena,
    struct replay *replay)
{
	const struct focus everything = {
	    .path = SPAN(""),
	    .name = SPAN(""),
	    .bytes = SPAN(""),
	    .hash = digest_of(SPAN("")),
	};
	struct events events;
	struct trust *trust;
	uint64_t scopes;

	*replay = (struct replay){0};
	if (!index_path(index, leaf, arena, &replay->path))
		return false;
	events = host->events(index, &replay->path, &everything, arena);
	trust = history_fold(arena, events.list, events.n, where, NULL);
	replay->ntrust = trust_list(trust, arena, &replay->trust);
	trust_count(trust, &replay->files, &scopes);
	count_modes(&events, replay);
	list_ignored(&events, arena, replay);
	return true;
}

bool *
replay_choose(const struct index *index, struct arena *arena)
{
	enum { STEP_BYTES = 32 }; /* to pass an entry without reading it */
	bool *chosen = arena_array(arena, (size_t)index->n + 1,
	    sizeof(*chosen));
	/* By node: the entries up to it, and its bytes since the boundary. */
	uint64_t *passed = arena_array(arena, (size_t)index->n + 1,
	    sizeof(*passed));
	uint64_t *read = arena_array(arena, (size_t)index->n + 1,
	    sizeof(*read));
	struct budget budget = {REPLAY_BYTES + REPLAY_TIMES * index->bytes};

	/* A parent comes before its children. */
	for (uint32_t i = 0; i < index->n; i++) {
		const struct index_node *node = &index->nodes[i];
		bool root = node->parent == NODE_NONE;

		passed[i] = STEP_BYTES + (root ? 0 : passed[node->parent]);
		if (!node_is_boundary(node->kind))
			read[i] = node->size + (root ? 0 : read[node->parent]);
	}
	for (uint32_t i = index->n; i-- > 0;)
		chosen[i] = !index->nodes[i].has_child &&
		    budget_spend(&budget, passed[i] + read[i]);
	return chosen;
}

const char *
replay_why(enum doubt doubt, bool pieced)
{
	switch (doubt) {
	case DOUBT_NO_METADATA:
		return "it has no valid metadata: what it showed is unknown";
	case DOUBT_ALTERED:
		return "its stored text is not the one that was delivered";
	case DOUBT_UNPROVEN:
		return "its metadata has no hash of the text, so nothing "
		       "proves it";
	case DOUBT_CUT:
		return "the host cut it otherwise than its scope says";
	case DOUBT_EDITED:
		return "a context edit took it from the model";
	case DOUBT_CALL_GONE:
		return "its tool call was edited, failed, or cannot be found";
	case DOUBT_UNKNOWN_EDIT:
		return "a context edit whose target cannot be told";
	case DOUBT_REFRESH:
		return "an invalidation that cannot be understood";
	case DOUBT_LOSS:
		return "a silent loss of context: its request had much less "
		       "in it than the one before";
	case DOUBT_GUARD:
		return pieced ? "not all that it rests on was trusted at that "
				"point"
			      : "its base is not what was trusted at that "
				"point";
	case DOUBT_NONE:
		break;
	}
	return "nothing speaks against it";
}
