#include "inspect/report_fold.h"

#include "serve/history.h"

void
fold_begin(struct fold *fold, struct event *events, size_t n, size_t at,
    struct arena *names)
{
	fold->events = events;
	fold->n = n;
	fold->at = at;
	fold->names = names;
	fold->stale = true;
}

struct trust *
fold_trust(struct fold *fold)
{
	if (!fold->stale)
		return fold->folding.trust;
	arena_reset(fold->arena);
	fold->folding = history_begin(fold->arena, fold->where, NULL);
	for (size_t i = 0; i < fold->at; i++)
		(void)history_next(&fold->folding, &fold->events[i]);
	fold->stale = false;
	return fold->folding.trust;
}

/* Does EVENT's name alone say which file it is about? */
static bool
is_simple(const struct event *event)
{
	return event->kind != EVENT_BLIND &&
	    event->kind != EVENT_EDIT_FAILED && event->kind != EVENT_EDITED;
}

struct event *
fold_peek(struct fold *fold)
{
	struct event *event = &fold->events[fold->at], named = *event;

	if (!is_simple(event) || event->asked.n == 0)
		return event;
	/* An older session.  The fold knows how its names are understood. */
	(void)history_fold(fold->names, &named, 1, fold->where, NULL);
	event->name = named.name;
	event->asked = SPAN("");
	return event;
}

void
fold_skip(struct fold *fold)
{
	if (!fold->stale)
		(void)history_next(&fold->folding, fold_peek(fold));
	fold->at++;
}

enum fold_step
fold_next(struct fold *fold)
{
	struct event *event = fold_peek(fold);
	enum trust_step step;

	(void)fold_trust(fold);
	step = history_next(&fold->folding, event);
	fold->at++;
	switch (step) {
	case TRUST_SET:
		return FOLD_SET;
	case TRUST_CLEARED:
		return FOLD_VOIDED;
	case TRUST_IGNORED:
		break;
	}
	return FOLD_NOTHING;
}
