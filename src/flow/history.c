#include "flow/history.h"

#include "flow/subject.h"
#include "path/range.h"
#include "path/variants.h"

static void
apply_blind_name(struct trust *trust, struct span name)
{
	struct event blind = {.kind = EVENT_BLIND, .name = name};

	(void)trust_apply(trust, &blind);
}

/*
 * T12: PATH was seen, nobody knows in which state.  Void what is known under
 * its name, its other spellings, and the file it leads to.
 */
static void
apply_blind_path(struct arena *arena, struct trust *trust, struct span path,
    const struct locate_where *where)
{
	struct event forget = {.kind = EVENT_FORGET};
	struct span others[VARIANTS], name;
	struct name_error ignored;
	size_t n;

	if (name_resolve(arena, path, where->cwd, where->home, &name,
		&ignored) != NAME_OK) {
		(void)trust_apply(trust, &forget); /* only the host knows */
		return;
	}
	apply_blind_name(trust, name);
	apply_blind_name(trust, locate_real(arena, name));
	n = variants(arena, name, others);
	for (size_t i = 0; i < n; i++) {
		apply_blind_name(trust, others[i]);
		apply_blind_name(trust, locate_real(arena, others[i]));
	}
}

static void
apply_blind(struct arena *arena, struct trust *trust, struct span path,
    const struct locate_where *where)
{
	struct range range;

	/* With a range suffix it was the file before it, or one so named. */
	if (range_split(path, &range) == RANGE_GOOD)
		apply_blind_path(arena, trust, range.path, where);
	apply_blind_path(arena, trust, path, where);
}

/* An older session: the name is what the call asked for. */
static void
apply_nameless(struct arena *arena, struct trust *trust,
    const struct event *event, const struct locate_where *where)
{
	struct event named = *event;
	struct name_error ignored;
	struct range range;
	struct span path = event->asked, name;

	if (range_split(path, &range) == RANGE_GOOD)
		path = range.path;
	if (name_resolve(arena, path, where->cwd, where->home, &name,
		&ignored) == NAME_OK)
		named.name = name;
	(void)trust_apply(trust, &named);
}

struct history
history_load(struct arena *arena, const struct request *request,
    const struct focus *focus)
{
	struct history history = {.trust = trust_new(arena)};
	struct locate_where where;
	bool home = subject_where(request, &where);

	if (!home)
		where.home = SPAN(""); /* no read gets here */
	history.branch = branch_load(arena, &request->session, focus);
	for (size_t i = 0; i < history.branch.n; i++) {
		const struct event *event = &history.branch.events[i];

		if (event->kind == EVENT_BLIND)
			apply_blind(arena, history.trust, event->name, &where);
		else if (event->asked.n > 0)
			apply_nameless(arena, history.trust, event, &where);
		else
			(void)trust_apply(history.trust, event);
	}
	return history;
}
