#include "serve/history.h"

#include "path/range.h"
#include "serve/memory.h"
#include "serve/subject.h"

static void
apply_blind_name(struct trust *trust, struct span name, struct scope scope)
{
	struct event blind = {
	    .kind = EVENT_BLIND, .name = name, .scope = scope};

	(void)trust_apply(trust, &blind);
}

/* It is not known which file is meant: it may be any. */
static void
apply_forget(struct trust *trust)
{
	struct event forget = {.kind = EVENT_FORGET};

	(void)trust_apply(trust, &forget);
}

/*
 * T12: a path was seen, but it is not known in which state.  Void what is known
 * by its names, and of the files that they lead to.
 */
static enum trust_step
apply_blind(struct trust *trust, const struct event *event,
    const struct path_leads *leads)
{
	for (size_t i = 0; i < leads->n; i++) {
		const struct lead *lead = &leads->list[i];

		if (lead->name.n > 0)
			apply_blind_name(trust, lead->name, event->scope);
		if (lead->real.n > 0)
			apply_blind_name(trust, lead->real, event->scope);
		else
			apply_forget(trust);
	}
	return TRUST_CLEARED;
}

/* Fold in an edit, refused or done, under all names of the file. */
static enum trust_step
apply_edit(struct trust *trust, const struct event *event,
    const struct path_leads *leads)
{
	struct event edit = *event;
	bool lost = false; /* which file it was */

	/* What was done to one of several files proves nothing. */
	if (leads->n != 1)
		edit.own = NULL;
	for (size_t i = 0; i < leads->n; i++) {
		const struct lead *lead = &leads->list[i];

		if (lead->name.n == 0) {
			lost = lost || event->kind == EVENT_EDITED;
			continue;
		}
		edit.name = lead->name;
		edit.path = lead->real;
		(void)trust_apply(trust, &edit);
		lost = lost || lead->real.n == 0;
	}
	if (!lost)
		return TRUST_IGNORED;
	apply_forget(trust);
	return TRUST_CLEARED;
}

/*
 * In an older session, the name is what the call asked for.  If that could be
 * several files, the read proves nothing.
 */
static struct event
with_name(struct arena *arena, const struct event *event,
    const struct history_where *where)
{
	struct event named = *event;
	struct range range;
	struct span path = event->asked;
	struct meaning meaning;

	if (range_split(path, &range) == RANGE_GOOD)
		path = range.path;
	meaning = leads_meaning(arena, path, where);
	if (meaning.n > 0)
		named.name = meaning.names[0];
	if (meaning.n > 1 || !meaning.told) {
		named.kind = EVENT_SIGHTING;
		named.doubt = DOUBT_UNPROVEN;
	}
	return named;
}

/* Is EVENT a read of the file in FOCUS, by one of its names? */
static bool
is_about(const struct event *event, const struct focus *focus)
{
	if (event->kind != EVENT_READ && event->kind != EVENT_SIGHTING)
		return false;
	return focus == NULL || span_eq(event->path, focus->path) ||
	    span_eq(event->path, focus->name) ||
	    span_eq(event->name, focus->path) ||
	    span_eq(event->name, focus->name);
}

/*
 * Is voiding all that EVENT can do?  A refused edit also counts for what is
 * shown later, as lines may be asked for that were not (SPEC 16).
 */
static bool
only_voids(const struct event *event)
{
	return event->kind == EVENT_BLIND || event->kind == EVENT_FORGET ||
	    (event->kind == EVENT_EDITED && event->own == NULL);
}

struct folding
history_begin(struct arena *arena, const struct history_where *where,
    const struct focus *focus)
{
	return (struct folding){
	    .trust = trust_new(arena),
	    .leads = leads_new(arena, where),
	    .focus = focus,
	};
}

enum trust_step
history_next(struct folding *f, struct event *event)
{
	enum trust_step step;

	if (!f->known && only_voids(event))
		return TRUST_IGNORED;
	if (event->kind == EVENT_BLIND)
		return apply_blind(f->trust, event,
		    leads_of_view(&f->leads, event->name));
	f->known = f->known || event->kind == EVENT_EDITED;
	if (event->kind == EVENT_EDIT_FAILED || event->kind == EVENT_EDITED)
		return apply_edit(f->trust, event,
		    leads_of_edit(&f->leads, event->name));
	if (event->asked.n > 0)
		*event = with_name(f->leads.arena, event, f->leads.where);
	f->known = f->known || is_about(event, f->focus);
	step = trust_apply(f->trust, event);
	if (step == TRUST_IGNORED && event->doubt == DOUBT_NONE)
		event->doubt = DOUBT_GUARD;
	return step;
}

struct trust *
history_fold(struct arena *arena, struct event *events, size_t n,
    const struct history_where *where, const struct focus *focus)
{
	struct folding folding = history_begin(arena, where, focus);

	for (size_t i = 0; i < n; i++)
		(void)history_next(&folding, &events[i]);
	return folding.trust;
}

/* Load the events of HISTORY's branch, and fold them. */
static const struct trust *
fold_all(struct arena *arena, const struct request *request,
    const struct focus *focus, const struct history_where *where, bool home,
    struct branch *branch)
{
	struct trust *trust;

	branch_recall(arena, &request->session, focus, branch);
	trust = history_fold(arena, branch->events, branch->n, where, focus);
	if (!home)
		apply_forget(trust); /* a tilde may mean any file */
	return trust;
}

struct history
history_load(struct arena *arena, const struct request *request,
    const struct focus *focus)
{
	struct history history = {0};
	struct history_where where = {.dirs = {.n = 0}};
	bool home = subject_where(request, &where.here);

	if (!home)
		where.here.home = SPAN("");
	history.branch = branch_find(arena, &request->session, focus);
	where.dirs = history.branch.dirs;
	/* What only this request says is not kept. */
	if (focus != NULL && home && history.branch.remembered &&
	    !branch_overlaid(&request->session))
		history.trust = memory_trust(request->session.memory, arena,
		    &where, focus);
	if (history.trust == NULL)
		history.trust = fold_all(arena, request, focus, &where, home,
		    &history.branch);
	return history;
}
