#include "inspect/report_fold.h"

#include "flow/history.h"

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
		return fold->trust;
	arena_reset(fold->arena);
	fold->trust = history_fold(fold->arena, fold->events, fold->at,
	    fold->where, NULL);
	fold->stale = false;
	return fold->trust;
}

/* Of others only a fold of the whole knows which files they are about. */
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
	/* An older session.  The fold knows how it is understood. */
	(void)history_fold(fold->names, &named, 1, fold->where, NULL);
	event->name = named.name;
	event->asked = SPAN("");
	return event;
}

void
fold_skip(struct fold *fold)
{
	fold->at++;
	fold->stale = true;
}

enum fold_step
fold_next(struct fold *fold)
{
	struct event *event = fold_peek(fold);

	if (!is_simple(event)) {
		fold_skip(fold);
		return FOLD_VOIDED;
	}
	switch (trust_apply(fold_trust(fold), event)) {
	case TRUST_SET:
		fold->at++;
		return FOLD_SET;
	case TRUST_CLEARED:
		fold->at++;
		return FOLD_VOIDED;
	case TRUST_IGNORED:
		break;
	}
	fold->at++;
	if (event->doubt == DOUBT_NONE)
		event->doubt = DOUBT_GUARD;
	return FOLD_NOTHING;
}
