#include "serve/history.h"

#include "base/map.h"
#include "path/range.h"
#include "path/variants.h"
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

/* Void what is known by NAME, and of the file that it leads to. */
static void
apply_blind_file(struct arena *arena, struct trust *trust, struct span name,
    struct scope scope)
{
	struct span real;

	apply_blind_name(trust, name, scope);
	if (locate_real(arena, name, &real))
		apply_blind_name(trust, real, scope);
	else
		apply_forget(trust);
}

/* What the path of a call means in each directory it may be relative to. */
struct meaning {
	bool told; /* every possible meaning is in names */
	struct span *names;
	size_t n, room;
};

static bool
resolve_in(struct arena *arena, struct span path, struct span dir,
    struct span home, struct span *name)
{
	struct name_error ignored;

	return name_resolve(arena, path, dir, home, name, &ignored) == NAME_OK;
}

static bool
add_meaning(struct arena *arena, struct meaning *meaning, struct span path,
    struct span dir, struct span home)
{
	struct span name;

	if (!resolve_in(arena, path, dir, home, &name))
		return false; /* only the host knows */
	for (size_t i = 0; i < meaning->n; i++)
		if (span_eq(meaning->names[i], name))
			return true;
	meaning->names = arena_more(arena, meaning->names, meaning->n,
	    &meaning->room, sizeof(*meaning->names));
	meaning->names[meaning->n++] = name;
	return true;
}

/* Does PATH mean the same in every directory? */
static bool
is_absolute(struct arena *arena, struct span path, struct span home)
{
	struct span one, other;

	return resolve_in(arena, path, SPAN("/a"), home, &one) &&
	    resolve_in(arena, path, SPAN("/b"), home, &other) &&
	    span_eq(one, other);
}

static struct meaning
find_meaning(struct arena *arena, struct span path,
    const struct history_where *where)
{
	struct span home = where->here.home;
	struct meaning meaning = {.told = !where->dirs.untold ||
		is_absolute(arena, path, home)};

	if (!add_meaning(arena, &meaning, path, where->here.cwd, home))
		meaning.told = false;
	for (size_t i = 0; i < where->dirs.n; i++)
		if (!add_meaning(arena, &meaning, path, where->dirs.list[i],
			home))
			meaning.told = false;
	return meaning;
}

/*
 * T12: PATH was seen, but it is not known in which state.  Void what is known
 * by its name, by its other spellings, and of the files they lead to.
 */
static void
apply_blind_path(struct arena *arena, struct trust *trust, struct span path,
    struct scope scope, const struct history_where *where)
{
	struct meaning meaning = find_meaning(arena, path, where);
	struct span others[VARIANTS];

	if (!meaning.told) {
		apply_forget(trust);
		return;
	}
	for (size_t i = 0; i < meaning.n; i++) {
		size_t n = variants(arena, meaning.names[i], others);

		apply_blind_file(arena, trust, meaning.names[i], scope);
		for (size_t k = 0; k < n; k++)
			apply_blind_file(arena, trust, others[k], scope);
	}
}

static void
apply_blind(struct arena *arena, struct trust *trust,
    const struct event *event, const struct history_where *where)
{
	struct span path = event->name;
	struct range range;

	/* With a range it was the file before the colon, or one named so. */
	if (range_split(path, &range) == RANGE_GOOD)
		apply_blind_path(arena, trust, range.path, event->scope,
		    where);
	apply_blind_path(arena, trust, path, event->scope, where);
}

/* The files that the path of an edit may lead to. */
struct edit_places {
	bool told;    /* all of them are in names */
	bool located; /* and reals says where each of those leads now */
	struct span *names, *reals;
	size_t n;
};

/* Look a path up only once: a branch may have thousands of edits. */
static const struct edit_places *
find_places(struct arena *arena, struct map *known, struct span path,
    const struct history_where *where)
{
	uint64_t *found = map_at(known, path, 0);
	struct meaning meaning;
	struct edit_places *places;

	if (*found != 0)
		return (const struct edit_places *)(uintptr_t)*found;
	places = arena_array(arena, 1, sizeof(*places));
	*found = (uintptr_t)places;
	meaning = find_meaning(arena, path, where);
	*places = (struct edit_places){
	    .told = meaning.told,
	    .located = true,
	    .names = meaning.names,
	    .reals = arena_array(arena, meaning.n, sizeof(struct span)),
	    .n = meaning.n,
	};
	for (size_t i = 0; i < meaning.n; i++)
		if (!locate_real(arena, meaning.names[i], &places->reals[i]))
			places->located = false;
	return places;
}

/* Fold in an edit, refused or done, under all names of the file at PLACES. */
static enum trust_step
apply_edit(struct trust *trust, const struct event *event,
    const struct edit_places *places)
{
	struct event edit = *event;

	for (size_t i = 0; i < places->n; i++) {
		edit.name = places->names[i];
		(void)trust_apply(trust, &edit);
		edit.name = places->reals[i];
		(void)trust_apply(trust, &edit);
	}
	/* Only the host knows which file it was, or it is not known now. */
	if ((places->told || event->kind != EVENT_EDITED) && places->located)
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
	meaning = find_meaning(arena, path, where);
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

/* Is voiding all that EVENT can do? */
static bool
only_voids(const struct event *event)
{
	return event->kind == EVENT_BLIND || event->kind == EVENT_FORGET ||
	    event->kind == EVENT_EDIT_FAILED || event->kind == EVENT_EDITED;
}

struct folding
history_begin(struct arena *arena, const struct history_where *where,
    const struct focus *focus)
{
	return (struct folding){
	    .arena = arena,
	    .trust = trust_new(arena),
	    .places = map_new(arena, 1),
	    .where = where,
	    .focus = focus,
	};
}

enum trust_step
history_next(struct folding *f, struct event *event)
{
	enum trust_step step;

	if (!f->known && only_voids(event))
		return TRUST_IGNORED;
	if (event->kind == EVENT_BLIND) {
		apply_blind(f->arena, f->trust, event, f->where);
		return TRUST_CLEARED;
	}
	if (event->kind == EVENT_EDIT_FAILED || event->kind == EVENT_EDITED)
		return apply_edit(f->trust, event,
		    find_places(f->arena, f->places, event->name, f->where));
	if (event->asked.n > 0)
		*event = with_name(f->arena, event, f->where);
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

struct history
history_load(struct arena *arena, const struct request *request,
    const struct focus *focus)
{
	struct history history = {0};
	struct history_where where = {.dirs = {.n = 0}};
	bool home = subject_where(request, &where.here);

	if (!home)
		where.here.home = SPAN("");
	history.branch = branch_load(arena, &request->session, focus);
	where.dirs = history.branch.dirs;
	history.trust = history_fold(arena, history.branch.events,
	    history.branch.n, &where, focus);
	if (!home)
		apply_forget(history.trust); /* a tilde may mean any file */
	return history;
}
