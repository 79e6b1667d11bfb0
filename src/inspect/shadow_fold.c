/*
 * What counts on a walk so far: events, the trust that they prove, and the
 * reads of a message that is not done.
 */
#include "inspect/shadow_inside.h"

void
shadow_begin(struct shadow_walk *w, uint32_t start)
{
	arena_reset(w->events_arena);
	witness_forget(w->witness);
	w->events = events_new(w->events_arena, NULL); /* only appended to */
	w->batch = events_new(w->events_arena, NULL);
	w->asking = NODE_NONE;
	w->trust = trust_new(w->events_arena);
	w->start = start;
}

void
shadow_apply(struct shadow_walk *w, const struct event *event)
{
	events_append(&w->events, event);
	(void)trust_apply(w->trust, event);
}

static struct span
node_name(const uint32_t *node)
{
	return (struct span){(const char *)node, sizeof(*node)};
}

void
shadow_deliver(struct shadow_walk *w, const struct event *event)
{
	struct event *kept = arena_alloc(w->arena, sizeof(*kept));

	*kept = *event;
	*map_at(w->made, node_name(&kept->at), 0) = (uintptr_t)kept;
	events_append(&w->batch, event);
}

bool
shadow_deliver_again(struct shadow_walk *w, uint32_t node)
{
	const uint64_t *made = map_find(w->made, node_name(&node));

	if (made == NULL)
		return false;
	events_append(&w->batch, (const struct event *)(uintptr_t)*made);
	return true;
}

void
shadow_end_batch(struct shadow_walk *w)
{
	for (size_t i = 0; i < w->batch.n; i++)
		shadow_apply(w, &w->batch.list[i]);
	w->batch.n = 0;
	w->asking = NODE_NONE;
}

/* An edit took something away: fold what is left once more. */
static void
fold_again(struct shadow_walk *w)
{
	w->trust = trust_new(w->events_arena);
	for (size_t i = 0; i < w->events.n; i++)
		(void)trust_apply(w->trust, &w->events.list[i]);
}

/* T4: what EDIT does to EVENT, a read.  Of several edits the latest counts. */
static void
edit_event(const struct shadow_walk *w, const struct record_edit *edit,
    struct event *event)
{
	const struct index_node *nodes = w->records->index->nodes;
	uint32_t asked_by = w->asked_by[event->at];

	if (span_eq(nodes[event->at].id, edit->target)) {
		event->kind = EVENT_SIGHTING;
		event->veiled = edit->replaced;
		event->omitted = !edit->replaced;
	} else if (asked_by != NODE_NONE &&
		   span_eq(nodes[asked_by].id, edit->target)) {
		event->kind = EVENT_SIGHTING;
	}
}

void
shadow_edit(struct shadow_walk *w, const struct record_edit *edit, uint32_t at)
{
	const struct event forget = {.kind = EVENT_FORGET};

	if (edit == NULL || edit->target.n == 0) {
		shadow_apply(w, &forget);
		return;
	}
	if (!budget_spend(&w->budget, w->events.n)) {
		shadow_begin(
		    w, at + 1); /* too many: as if it took everything away */
		return;
	}
	for (size_t i = 0; i < w->events.n; i++) {
		struct event *event = &w->events.list[i];

		if (event->kind == EVENT_READ || event->kind == EVENT_SIGHTING)
			edit_event(w, edit, event);
	}
	witness_forget(w->witness);
	fold_again(w);
}
