#include "flow/history.h"

#include "flow/subject.h"
#include "path/range.h"
#include "path/variants.h"

/* T12: NAME and its other spellings were seen, nobody knows in which state. */
static void
apply_blind_name(struct arena *arena, struct trust *trust, struct span path,
    const struct locate_where *where)
{
	struct event blind = {.kind = EVENT_BLIND};
	struct span others[VARIANTS];
	struct name_error ignored;
	size_t n;

	if (name_resolve(arena, path, where->cwd, where->home, &blind.name,
		&ignored) != NAME_OK) {
		blind.kind = EVENT_FORGET; /* a form only the host knows */
		(void)trust_apply(trust, &blind);
		return;
	}
	n = variants(arena, blind.name, others);
	(void)trust_apply(trust, &blind);
	for (size_t i = 0; i < n; i++) {
		blind.name = others[i];
		(void)trust_apply(trust, &blind);
	}
}

static void
apply_blind(struct arena *arena, struct trust *trust, struct span path,
    const struct locate_where *where)
{
	struct range range;

	apply_blind_name(arena, trust, path, where);
	if (range_split(path, &range) == RANGE_GOOD)
		apply_blind_name(arena, trust, range.path, where);
}

struct history
history_load(struct arena *arena, const struct request *request,
    const struct focus *focus)
{
	struct history history = {.trust = trust_new(arena)};
	struct locate_where where = subject_where(request);

	history.branch = branch_load(arena, &request->session, focus);
	for (size_t i = 0; i < history.branch.n; i++) {
		const struct event *event = &history.branch.events[i];

		if (event->kind == EVENT_BLIND)
			apply_blind(arena, history.trust, event->name, &where);
		else
			(void)trust_apply(history.trust, event);
	}
	return history;
}
