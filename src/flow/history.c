#include "flow/history.h"

#include "base/map.h"
#include "flow/subject.h"
#include "path/range.h"
#include "path/variants.h"

static void
apply_blind_name(struct trust *trust, struct span name)
{
	struct event blind = {.kind = EVENT_BLIND, .name = name};

	(void)trust_apply(trust, &blind);
}

/* Nobody knows which file is meant: it may be any. */
static void
apply_forget(struct trust *trust)
{
	struct event forget = {.kind = EVENT_FORGET};

	(void)trust_apply(trust, &forget);
}

/* Void what is known under NAME and of the file it leads to. */
static void
apply_blind_file(struct arena *arena, struct trust *trust, struct span name)
{
	struct span real;

	apply_blind_name(trust, name);
	if (locate_real(arena, name, &real))
		apply_blind_name(trust, real);
	else
		apply_forget(trust);
}

/*
 * T12: PATH was seen, nobody knows in which state.  Void what is known under
 * its name, its other spellings, and the files they lead to.
 */
static void
apply_blind_path(struct arena *arena, struct trust *trust, struct span path,
    const struct locate_where *where)
{
	struct span others[VARIANTS], name;
	struct name_error ignored;
	size_t n;

	if (name_resolve(arena, path, where->cwd, where->home, &name,
		&ignored) != NAME_OK) {
		apply_forget(trust); /* only the host knows */
		return;
	}
	apply_blind_file(arena, trust, name);
	n = variants(arena, name, others);
	for (size_t i = 0; i < n; i++)
		apply_blind_file(arena, trust, others[i]);
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

/* Where the path of an edit leads. */
struct place {
	bool named, located;
	struct span name, real;
};

/* Looked up once for all edits of a branch: there may be thousands. */
static const struct place *
find_place(struct arena *arena, struct map *places, struct span path,
    const struct locate_where *where)
{
	uint64_t *known = map_at(places, path, 0);
	struct name_error ignored;
	struct place *place;

	if (*known != 0)
		return (const struct place *)(uintptr_t)*known;
	place = arena_array(arena, 1, sizeof(*place));
	*known = (uintptr_t)place;
	place->named = name_resolve(arena, path, where->cwd, where->home,
			   &place->name, &ignored) == NAME_OK;
	place->located =
	    place->named && locate_real(arena, place->name, &place->real);
	return place;
}

/* An edit, refused or done, of the file at PLACE: by both of its names. */
static void
apply_edit(
    struct trust *trust, const struct event *event, const struct place *place)
{
	struct event edit = *event;

	if (!place->named) {
		if (event->kind == EVENT_EDITED)
			apply_forget(trust); /* only the host knows */
		return;
	}
	edit.name = place->name;
	(void)trust_apply(trust, &edit);
	edit.name = place->real;
	if (place->located)
		(void)trust_apply(trust, &edit);
	else
		apply_forget(trust);
}

/* An older session: the name is what the call asked for. */
static struct event
with_name(struct arena *arena, const struct event *event,
    const struct locate_where *where)
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
	return named;
}

struct trust *
history_fold(struct arena *arena, struct event *events, size_t n,
    const struct locate_where *where)
{
	struct trust *trust = trust_new(arena);
	struct map *places = map_new(arena, 1);
	bool known = false; /* is there anything to be voided? */

	for (size_t i = 0; i < n; i++) {
		struct event *event = &events[i];

		bool edit = event->kind == EVENT_EDIT_FAILED ||
		    event->kind == EVENT_EDITED;

		if (!known && (event->kind == EVENT_BLIND || edit))
			continue;
		known = true;

		if (event->kind == EVENT_BLIND) {
			apply_blind(arena, trust, event->name, where);
			continue;
		}
		if (edit) {
			apply_edit(trust, event,
			    find_place(arena, places, event->name, where));
			continue;
		}
		if (event->asked.n > 0)
			*event = with_name(arena, event, where);
		if (trust_apply(trust, event) == TRUST_IGNORED &&
		    event->doubt == DOUBT_NONE)
			event->doubt = DOUBT_GUARD;
	}
	return trust;
}

struct history
history_load(struct arena *arena, const struct request *request,
    const struct focus *focus)
{
	struct history history = {0};
	struct locate_where where;
	bool home = subject_where(request, &where);

	if (!home)
		where.home = SPAN("");
	history.branch = branch_load(arena, &request->session, focus);
	history.trust = history_fold(arena, history.branch.events,
	    history.branch.n, &where);
	if (!home)
		apply_forget(history.trust); /* a tilde may mean any file */
	return history;
}
