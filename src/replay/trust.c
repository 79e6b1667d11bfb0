#include "replay/trust.h"

#include <stdlib.h>

#include "base/map.h"
#include "replay/gaps.h"

/*
 * One scope of one file under one name.  Invariants:
 *  1. If trusted, the reader has seen the scope's lines of version hash, and
 *     they are in its context.  seq is when that was last confirmed; it says
 *     which of two bases is fresher.  text_seq is when their text was shown;
 *     it says which views are newer.  text_seq <= seq.
 *  2. If refreshed, the slot is not trusted, and is a range.
 * A text of the full scope ends refreshed and repeats of all ranges at once.
 * It does so by changing a number of the alias: refreshed and repeats hold only
 * while the number noted with them is still that of the alias.
 */
struct slot {
	struct slot *next;
	struct scope scope;
	bool trusted;
	uint64_t refreshed; /* alias->anchors + 1 at that time, or 0 */
	struct digest hash;
	uint64_t seq;
	uint64_t text_seq;
	const struct text_id *text; /* the answer that gave version hash */
	uint64_t repeats; /* markers in a row, for version repeated */
	uint64_t repeats_since; /* alias->texts at that time */
	struct digest repeated;
};

/* What is trusted of a file under one of its names (T11). */
struct alias {
	struct alias *next;
	struct span name;
	struct slot full;
	struct slot *ranges;
	struct map *by_range; /* first and last as bytes -> struct slot * */
	uint64_t anchors; /* texts of the full scope; each shows every range */
	uint64_t texts;   /* answers for the full scope with text, also diffs */
};

struct file {
	struct file *next;
	struct span path;
	struct alias *aliases; /* invalid if the epoch is not trust's */
	size_t naliases;
	uint64_t epoch;
};

/*
 * More than anybody needs.  Over HOLES_MAX the holes become one that covers
 * every file.  Over ALIASES_MAX the names of that file are forgotten.
 */
enum { HOLES_MAX = 256, ALIASES_MAX = 16 };

/* The budget of walks: at the start, and what every event adds. */
enum { WORK_FIRST = 1 << 18, WORK_MORE = 256 };

/* The latest views of a path, and by a name, that are spelled the same. */
struct place {
	struct trust_view *of_path, *by_name;
};

/* Lines of a file, or of all files, that must be shown again (SPEC 16). */
struct hole {
	struct hole *next;
	struct span path; /* path or name; if p is NULL, all files */
	uint64_t first, last;
	uint64_t seq; /* views up to this one do not count */
};

struct trust {
	struct arena *arena;
	struct file *files;
	struct map *by_path; /* path -> struct file * */
	struct map *by_name; /* name -> struct file * it was last read from */
	struct map *edit_failed;  /* path or name -> seq of the refusal + 1 */
	struct map *edited;       /* path or name -> seq of the edit + 1 */
	struct map *calls;        /* call id -> its struct trust_view *; 0: many */
	struct map *lost;         /* text id -> seq of the latest answer with that
				   * text that is no evidence */
	struct map *twins;        /* text id -> seq of the latest answer with that
				   * text that showed other lines than the one
				   * before it */
	struct map *texts;        /* struct told as bytes -> the latest struct
				   * trust_view * of that text */
	struct map *places;       /* path or name -> struct place * */
	struct trust_view *view;  /* the latest; views are never removed */
	struct hole *holes;       /* newest first */
	size_t nholes;
	uint64_t seq;
	uint64_t epoch; /* how often all files were forgotten */
	struct budget *budget;
};

struct trust *
trust_new(struct arena *arena)
{
	struct trust *trust = arena_array(arena, 1, sizeof(*trust));

	trust->arena = arena;
	trust->by_path = map_new(arena, 4);
	trust->by_name = map_new(arena, 4);
	trust->edit_failed = map_new(arena, 1);
	trust->edited = map_new(arena, 1);
	trust->calls = map_new(arena, 1);
	trust->lost = map_new(arena, 1);
	trust->twins = map_new(arena, 1);
	trust->texts = map_new(arena, 4);
	trust->places = map_new(arena, 4);
	trust->budget = arena_array(arena, 1, sizeof(*trust->budget));
	trust->budget->left = WORK_FIRST;
	return trust;
}

const struct trust *
trust_lend(const struct trust *trust, struct arena *arena)
{
	struct trust *lent = arena_alloc(arena, sizeof(*lent));

	*lent = *trust;
	lent->arena = arena;
	lent->budget = arena_alloc(arena, sizeof(*lent->budget));
	*lent->budget = *trust->budget;
	return lent;
}

static struct file *
find_file(const struct map *map, struct span name)
{
	const uint64_t *found = map_find(map, name);

	return found != NULL ? (struct file *)(uintptr_t)*found : NULL;
}

static struct file *
make_file(struct trust *trust, struct span path)
{
	struct file *file = find_file(trust->by_path, path);

	if (file != NULL)
		return file;
	file = arena_array(trust->arena, 1, sizeof(*file));
	file->path = path;
	file->epoch = trust->epoch;
	file->next = trust->files;
	trust->files = file;
	*map_at(trust->by_path, path, 0) = (uintptr_t)file;
	return file;
}

/* Forget everything about FILE, under all its names. */
static void
clear_file(struct file *file)
{
	file->aliases = NULL;
	file->naliases = 0;
}

/* The first alias of FILE, which may be NULL. */
static struct alias *
first_alias(const struct trust *trust, const struct file *file)
{
	return file != NULL && file->epoch == trust->epoch ? file->aliases
							   : NULL;
}

static struct alias *
find_alias(const struct trust *trust, const struct file *file,
    struct span name)
{
	struct alias *alias = first_alias(trust, file);

	while (alias != NULL && !span_eq(alias->name, name))
		alias = alias->next;
	return alias;
}

static struct alias *
make_alias(struct trust *trust, struct file *file, struct span name)
{
	struct alias *alias = find_alias(trust, file, name);

	if (alias != NULL)
		return alias;
	if (file->epoch != trust->epoch || file->naliases == ALIASES_MAX)
		clear_file(file);
	file->epoch = trust->epoch;
	file->naliases++;
	alias = arena_array(trust->arena, 1, sizeof(*alias));
	alias->name = name;
	alias->full.scope = scope_full();
	alias->next = file->aliases;
	file->aliases = alias;
	return alias;
}

/* Both line numbers of a range, as bytes: its key in the map. */
static struct span
range_name(const struct scope *scope)
{
	return (struct span){(const char *)&scope->first,
	    2 * sizeof(scope->first)};
}

static struct slot *
find_slot(struct alias *alias, struct scope scope)
{
	const uint64_t *found;

	if (scope.kind == SCOPE_FULL)
		return &alias->full;
	if (alias->by_range == NULL)
		return NULL;
	found = map_find(alias->by_range, range_name(&scope));
	return found != NULL ? (struct slot *)(uintptr_t)*found : NULL;
}

static struct slot *
make_slot(struct trust *trust, struct alias *alias, struct scope scope)
{
	struct slot *slot = find_slot(alias, scope);

	if (slot != NULL)
		return slot;
	slot = arena_array(trust->arena, 1, sizeof(*slot));
	slot->scope = scope;
	slot->next = alias->ranges;
	alias->ranges = slot;
	if (alias->by_range == NULL)
		alias->by_range = map_new(trust->arena, 4);
	*map_at(alias->by_range, range_name(&slot->scope), 0) =
	    (uintptr_t)slot;
	return slot;
}

static bool
is_refreshed(const struct alias *alias, const struct slot *slot)
{
	return slot != NULL && slot->refreshed == alias->anchors + 1;
}

enum guard {
	IGNORE, /* also every cell below that is not listed */
	ANCHOR,
	FULL_IS_BASE_AND_SERVED,
	FULL_IS_BASE,
	RANGE_OR_FULL_IS_BASE
};

/* The rows of SPEC 6. */
static const enum guard guards[MODE_COUNT][SCOPE_KINDS] = {
	[MODE_FULL] = {[SCOPE_FULL] = ANCHOR, [SCOPE_RANGE] = ANCHOR},
	[MODE_FALLBACK] = {[SCOPE_FULL] = ANCHOR, [SCOPE_RANGE] = ANCHOR},
	[MODE_UNCHANGED] = {[SCOPE_FULL] = FULL_IS_BASE_AND_SERVED},
	[MODE_DIFF] = {[SCOPE_FULL] = FULL_IS_BASE},
	[MODE_UNCHANGED_RANGE] = {[SCOPE_RANGE] = RANGE_OR_FULL_IS_BASE},
};

static bool
slot_is(const struct slot *slot, const struct digest *hash)
{
	return slot != NULL && slot->trusted && digest_eq(&slot->hash, hash);
}

static bool
guard_met(struct alias *alias, const struct event *ev)
{
	const struct slot *exact = find_slot(alias, ev->scope);

	switch (guards[ev->mode][ev->scope.kind]) {
	case ANCHOR:
		return true;
	case FULL_IS_BASE_AND_SERVED:
		return ev->has_base && slot_is(&alias->full, &ev->base) &&
		    digest_eq(&ev->served, &ev->base);
	case FULL_IS_BASE:
		return ev->has_base && slot_is(&alias->full, &ev->base);
	case RANGE_OR_FULL_IS_BASE:
		if (is_refreshed(alias, exact))
			return false; /* T7: only an anchor ends it */
		return ev->has_base &&
		    (slot_is(exact, &ev->base) ||
			slot_is(&alias->full, &ev->base));
	case IGNORE:
		break;
	}
	return false;
}

/* The place that is called TEXT, or NULL if it was never seen. */
static struct place *
find_place(const struct trust *trust, struct span text)
{
	const uint64_t *found = map_find(trust->places, text);

	return found != NULL ? (struct place *)(uintptr_t)*found : NULL;
}

static struct place *
make_place(struct trust *trust, struct span text)
{
	uint64_t *found = map_at(trust->places, text, 0);

	if (*found == 0)
		*found = (uintptr_t)arena_array(trust->arena, 1,
		    sizeof(struct place));
	return (struct place *)(uintptr_t)*found;
}

struct trust_views
trust_views(const struct trust *trust, struct span path, struct span name)
{
	const struct place *place = find_place(trust, path);
	const struct place *named = find_place(trust, name);

	return (struct trust_views){
	    .of_path = place != NULL ? place->of_path : NULL,
	    .by_name = named != NULL ? named->by_name : NULL,
	    .budget = trust->budget,
	};
}

const struct trust_view *
trust_next_step(struct trust_views *views)
{
	const struct trust_view *one = views->of_path, *other = views->by_name;

	if (one == NULL && other == NULL)
		return NULL;
	if (!budget_spend(views->budget, 1)) {
		views->cut = true;
		return NULL;
	}
	/* No two views have the same seq.  One view may be in both lists. */
	if (other == NULL || (one != NULL && one->seq > other->seq)) {
		views->of_path = one->path_before;
		return one;
	}
	views->by_name = other->name_before;
	if (one == other)
		views->of_path = one->path_before;
	return other;
}

const struct trust_view *
trust_next_view(struct trust_views *views)
{
	const struct trust_view *step;

	do {
		step = trust_next_step(views);
	} while (step != NULL && step->change);
	return step;
}

struct budget *
trust_budget(const struct trust *trust)
{
	return trust->budget;
}

enum showing { SHOWS_NOTHING, SHOWS, SHOWS_APART };

/* The id of EV's text; NULL if it has none. */
static const struct text_id *
text_of(struct trust *trust, const struct event *ev)
{
	struct text_id *id;

	if (!ev->has_text_id)
		return NULL;
	id = arena_alloc(trust->arena, sizeof(*id));
	*id = ev->text_id;
	return id;
}

/* Put STEP at the end of the walks of its path and by its name. */
static struct trust_view *
add_step(struct trust *trust, struct trust_view step)
{
	struct trust_view *kept = arena_alloc(trust->arena, sizeof(*kept));
	struct place *place = make_place(trust, step.path);
	struct place *named = span_eq(step.name, step.path)
	    ? place
	    : make_place(trust, step.name);

	step.path_before = place->of_path;
	step.name_before = named->by_name;
	step.seq = trust->seq;
	*kept = step;
	place->of_path = named->by_name = kept;
	return kept;
}

static struct span
name_of_text(const struct text_id *id)
{
	return (struct span){(const char *)id->bytes, TEXT_ID_BYTES};
}

/* A text that was told of a file by a name. */
struct told {
	struct text_id text;
	struct place *path, *name;
};

/*
 * VIEW is the latest with its text.  If that was the text of other lines before,
 * it does not say any more which of the two answers is meant.
 */
static void
note_text(struct trust *trust, struct trust_view *view)
{
	struct told *told;
	uint64_t *latest;
	const struct trust_view *before;

	if (view->text == NULL)
		return;
	told = arena_array(trust->arena, 1, sizeof(*told));
	told->text = *view->text;
	told->path = find_place(trust, view->path);
	told->name = find_place(trust, view->name);
	latest = map_at(trust->texts,
	    (struct span){(const char *)told, sizeof(*told)}, 0);
	before = (const struct trust_view *)(uintptr_t)*latest;
	if (before != NULL && before->first != view->first)
		*map_at(trust->twins, name_of_text(view->text), 0) = view->seq;
	*latest = (uintptr_t)view;
}

/* Record that EV's lines were shown now, as evidence or not. */
static void
add_view(struct trust *trust, const struct event *ev, enum showing showing)
{
	bool full = ev->scope.kind == SCOPE_FULL;

	trust->view = add_step(trust, (struct trust_view){
	    .path = ev->path,
	    .name = ev->name,
	    .hash = ev->served,
	    .first = full ? 1 : ev->scope.first,
	    .last = full ? ev->total : ev->scope.last,
	    .total = ev->total,
	    .ends = full || ev->scope.last == ev->total,
	    .veiled = ev->veiled,
	    .shows = showing == SHOWS,
	    .anchor = guards[ev->mode][ev->scope.kind] == ANCHOR,
	    .apart = showing == SHOWS_APART,
	    .text = text_of(trust, ev),
	});
	note_text(trust, trust->view);
}

/* What was shown of these lines up to now does not count for coverage. */
static void
add_hole(struct trust *trust, struct span path, uint64_t first, uint64_t last)
{
	struct hole *hole = arena_alloc(trust->arena, sizeof(*hole));

	/*
	 * Over HOLES_MAX, collapse into one hole that covers every file:
	 * look-up is linear.
	 */
	if (++trust->nholes > HOLES_MAX) {
		trust->holes = NULL;
		trust->nholes = 1;
		path = (struct span){NULL, 0};
		first = 1;
		last = UINT64_MAX;
	}
	*hole = (struct hole){trust->holes, path, first, last, trust->seq};
	trust->holes = hole;
}

/* Is HOLE in the file PATH, or in one that was read by NAME? */
static bool
is_hole_of(const struct hole *hole, struct span path, struct span name)
{
	return hole->path.p == NULL || span_eq(hole->path, path) ||
	    span_eq(hole->path, name);
}

uint64_t
trust_void_until(
    const struct trust *trust, struct span path, struct span name)
{
	for (const struct hole *hole = trust->holes; hole != NULL;
	     hole = hole->next)
		if (is_hole_of(hole, path, name))
			return hole->seq;
	return 0;
}

/* Is STEP about the file of EV, by the same name? */
static bool
is_of(const struct trust_view *step, const struct event *ev)
{
	return span_eq(step->path, ev->path) && span_eq(step->name, ev->name);
}

/* An answer with the text of EV is there, or was there, but proves nothing. */
static void
lose_text(struct trust *trust, const struct event *ev)
{
	const struct text_id *text = text_of(trust, ev);

	if (text != NULL)
		*map_at(trust->lost, name_of_text(text), 0) = trust->seq;
}

/* Has MAP something later than SEQ for the text ID? */
static bool
is_later(const struct map *map, const struct text_id *id, uint64_t seq)
{
	const uint64_t *latest = map_find(map, name_of_text(id));

	return latest != NULL && *latest > seq;
}

bool
trust_text_is_lost(const struct trust *trust, const struct trust_view *view)
{
	return is_later(trust->lost, view->text, view->seq);
}

void
trust_rest_on(const struct trust *trust, struct rests *rests,
    const struct text_id *id, uint64_t seq)
{
	if (id != NULL && is_later(trust->twins, id, seq))
		rests->untold = true;
	rests_add(rests, id);
}

/*
 * Are all texts that the pieced answer EV rests on evidence since UNTIL?  The
 * same words may have been said of several versions: the latest answer with
 * them counts.
 */
static bool
rests_are_there(
    const struct trust *trust, const struct event *ev, uint64_t until)
{
	struct trust_views views = trust_views(trust, ev->path, ev->name);
	const struct trust_view *view;
	enum { LOOK = 4 }; /* ids that are compared in one step */
	bool found[RESTS_MAX] = {false};
	size_t left = ev->rests->n;

	while (left > 0 && (view = trust_next_view(&views)) != NULL &&
	    view->seq > until) {
		if (view->veiled)
			return false; /* nobody knows what is seen there now */
		if (!view->shows || view->text == NULL || !is_of(view, ev))
			continue;
		if (!budget_spend(trust->budget, left / LOOK))
			return false;
		for (size_t i = 0; i < ev->rests->n; i++) {
			if (found[i] ||
			    !text_id_eq(view->text, &ev->rests->ids[i]))
				continue;
			if (trust_text_is_lost(trust, view))
				return false;
			found[i] = true;
			left--;
		}
	}
	return left == 0;
}

/* Is all that the pieced answer EV rests on there, and does it still count? */
static bool
pieces_proven(const struct trust *trust, const struct event *ev)
{
	uint64_t until = trust_void_until(trust, ev->path, ev->name);

	for (size_t i = 0; i < ev->ncalls; i++) {
		const uint64_t *found = map_find(trust->calls, ev->calls[i]);
		const struct trust_view *step = found != NULL
		    ? (const struct trust_view *)(uintptr_t)*found
		    : NULL;

		if (step == NULL || !is_of(step, ev) || step->seq <= until)
			return false;
	}
	return rests_are_there(trust, ev, until);
}

/* Does EV refer to what is trusted? */
static bool
is_supported(
    const struct trust *trust, struct alias *alias, const struct event *ev)
{
	return ev->pieces > 0 ? pieces_proven(trust, ev)
			      : guard_met(alias, ev);
}

/*
 * Was a derived answer shown, although it proves nothing?  Yes if it was
 * certainly delivered, or if its base was shown but can no longer serve (T6).
 */
static bool
was_shown(const struct trust *trust, const struct event *ev)
{
	struct trust_views views = trust_views(trust, ev->path, ev->name);
	const struct trust_view *view;

	if (guards[ev->mode][ev->scope.kind] == IGNORE)
		return false;
	if (ev->sealed)
		return true;
	do {
		view = trust_next_view(&views);
	} while (view != NULL && !digest_eq(&view->hash, &ev->base));
	return view != NULL || views.cut;
}

/* Was EV's file shown after SEQ in a version other than EV's base? */
static bool
shown_otherwise(const struct trust *trust, uint64_t seq,
    const struct event *ev)
{
	struct trust_views views = trust_views(trust, ev->path, ev->name);
	const struct trust_view *view;

	while ((view = trust_next_view(&views)) != NULL && view->seq > seq)
		if (view->veiled || !digest_eq(&view->hash, &ev->base))
			return true;
	return views.cut;
}

/*
 * When was the text shown that EV refers to?  EV's guard is met.  A diff also
 * shows the new text by what it leaves out.  That holds only if nothing else
 * was shown since its base.
 */
static uint64_t
text_seq(const struct trust *trust, struct alias *alias,
    const struct event *ev)
{
	const struct slot *exact = find_slot(alias, ev->scope);
	uint64_t seq = 0;

	if (guards[ev->mode][ev->scope.kind] == ANCHOR || ev->pieces > 0)
		return trust->seq;
	if (slot_is(exact, &ev->base))
		seq = exact->text_seq;
	if (slot_is(&alias->full, &ev->base) && alias->full.text_seq > seq)
		seq = alias->full.text_seq;
	if (ev->mode == MODE_DIFF && !shown_otherwise(trust, seq, ev))
		return trust->seq;
	return seq;
}

/* The answer that gave what EV, whose guard is met, makes trusted. */
static const struct text_id *
telling_text(struct trust *trust, struct alias *alias, const struct event *ev)
{
	const struct slot *exact = find_slot(alias, ev->scope);

	/* A diff refers to its base itself, as a pieced answer does. */
	if (guards[ev->mode][ev->scope.kind] == ANCHOR ||
	    ev->mode == MODE_DIFF || ev->pieces > 0)
		return text_of(trust, ev);
	return slot_is(exact, &ev->base) ? exact->text : alias->full.text;
}

/* The file of a read or sighting.  It is now the latest by that name. */
static struct file *
arrive(struct trust *trust, const struct event *ev)
{
	struct file *file = make_file(trust, ev->path);

	trust->seq++;
	*map_at(trust->by_name, ev->name, 0) = (uintptr_t)file;
	return file;
}

/*
 * Count the markers in a row for a scope.  A text of that scope, or of the
 * whole file, ends the row.
 */
static void
count_repeats(struct trust *trust, struct alias *alias,
    const struct event *ev)
{
	struct slot *slot = find_slot(alias, ev->scope);

	if (ev->mode != MODE_UNCHANGED && ev->mode != MODE_UNCHANGED_RANGE &&
	    ev->pieces == 0) {
		if (slot != NULL)
			slot->repeats = 0;
		if (ev->scope.kind == SCOPE_FULL)
			alias->texts++;
		return;
	}
	if (slot == NULL)
		slot = make_slot(trust, alias, ev->scope);
	if (slot->repeats_since != alias->texts ||
	    !digest_eq(&slot->repeated, &ev->served))
		slot->repeats = 0;
	slot->repeats_since = alias->texts;
	slot->repeated = ev->served;
	slot->repeats++;
}

static enum trust_step
apply_read(struct trust *trust, const struct event *ev)
{
	struct alias *alias = make_alias(trust, arrive(trust, ev), ev->name);
	bool anchor = guards[ev->mode][ev->scope.kind] == ANCHOR;
	const struct text_id *text;
	struct slot *slot;
	uint64_t shown;

	count_repeats(trust, alias, ev);
	if (!is_supported(trust, alias, ev)) {
		bool diff = ev->mode == MODE_DIFF && ev->has_base &&
		    ev->pieces == 0;
		bool known = diff &&
		    trust_knows_version(trust, ev->path, ev->name, &ev->base,
			NULL);
		enum showing otherwise = diff ? SHOWS_APART : SHOWS_NOTHING;

		lose_text(trust, ev);
		if (was_shown(trust, ev)) {
			add_view(trust, ev, known ? SHOWS : otherwise);
			trust->view->alone = !diff && ev->pieces == 0;
			/* If it is still sent: which lines is it taken for? */
			trust->view->veiled |= ev->pieces > 0;
		}
		return TRUST_IGNORED;
	}
	shown = text_seq(trust, alias, ev);
	text = telling_text(trust, alias, ev);
	slot = make_slot(trust, alias, ev->scope);
	slot->trusted = true;
	slot->refreshed = 0;
	slot->hash = ev->served;
	slot->seq = trust->seq;
	slot->text_seq = shown;
	slot->text = text;
	if (anchor || ev->mode == MODE_DIFF || ev->pieces > 0)
		add_view(trust, ev,
		    shown == trust->seq ? SHOWS : SHOWS_NOTHING);
	if (anchor && ev->scope.kind == SCOPE_FULL)
		alias->anchors++; /* T7: no range is refreshed any more */
	return TRUST_SET;
}

static enum trust_step
apply_sighting(struct trust *trust, const struct event *ev)
{
	(void)arrive(trust, ev);
	lose_text(trust, ev);
	/*
	 * What was taken out can contradict nothing.  An answer that rests on
	 * it and is still there counts by itself (was_shown).
	 */
	if (!ev->omitted)
		add_view(trust, ev, SHOWS_NOTHING);
	return TRUST_IGNORED;
}

static enum trust_step
apply_invalidate(struct trust *trust, const struct event *ev)
{
	struct file *file = find_file(trust->by_path, ev->path);
	bool full = ev->scope.kind == SCOPE_FULL;

	/* Also if nothing is known of it yet: the reader may write it. */
	add_hole(trust, ev->path, full ? 1 : ev->scope.first,
	    full ? UINT64_MAX : ev->scope.last);
	if (file == NULL)
		return TRUST_CLEARED;
	if (full) {
		clear_file(file);
		return TRUST_CLEARED;
	}
	for (struct alias *a = first_alias(trust, file); a != NULL;
	     a = a->next) {
		struct slot *slot = make_slot(trust, a, ev->scope);

		slot->trusted = false;
		slot->refreshed = a->anchors + 1;
	}
	return TRUST_CLEARED;
}

/*
 * T12: under this name something was shown that nothing is known about.  If it
 * was about some lines only, the others are still good.
 */
static enum trust_step
apply_blind(struct trust *trust, const struct event *ev)
{
	struct file *real = find_file(trust->by_path, ev->name);
	struct file *named = find_file(trust->by_name, ev->name);
	struct event view = {.path = ev->name, .name = ev->name, .veiled = true};

	trust->seq++;
	if (ev->scope.kind == SCOPE_RANGE) {
		view.veiled = false; /* a version that nobody has */
		view.scope = ev->scope;
		view.total = UINT64_MAX;
		add_view(trust, &view, SHOWS_NOTHING);
		trust->view->bare = true;
		return TRUST_IGNORED;
	}
	add_view(trust, &view, SHOWS_NOTHING); /* also where it led before */
	if (real != NULL) {
		add_hole(trust, real->path, 1, UINT64_MAX);
		clear_file(real);
	}
	if (named != NULL) {
		add_hole(trust, named->path, 1, UINT64_MAX);
		clear_file(named);
	}
	return TRUST_CLEARED;
}

/* The file of the edit EV; its name, if nobody knows where that leads. */
static struct span
path_of_edit(const struct event *ev)
{
	return ev->path.n > 0 ? ev->path : ev->name;
}

/* Note EV in EDITS.  What is shown from now on is later. */
static void
note_edit(struct trust *trust, struct map *edits, const struct event *ev)
{
	*map_at(edits, ev->name, 0) = trust->seq + 1;
	*map_at(edits, path_of_edit(ev), 0) = trust->seq + 1;
}

/* T13, and what can be known of the file by the change itself. */
static enum trust_step
apply_edited(struct trust *trust, const struct event *ev)
{
	struct trust_view *step;
	uint64_t *by_call;

	trust->seq++;
	note_edit(trust, trust->edited, ev);
	step = add_step(trust, (struct trust_view){.path = path_of_edit(ev),
	    .name = ev->name, .change = true, .own = ev->own});
	if (ev->own == NULL)
		return TRUST_CLEARED;
	by_call = map_find(trust->calls, ev->own->call_id);
	if (by_call == NULL) {
		*map_at(trust->calls, ev->own->call_id, 0) = (uintptr_t)step;
		return TRUST_CLEARED;
	}
	/* Nobody can tell which of them an answer would rest on. */
	if (*by_call != 0)
		((struct trust_view *)(uintptr_t)*by_call)->own = NULL;
	*by_call = 0;
	step->own = NULL;
	return TRUST_CLEARED;
}

enum trust_step
trust_apply(struct trust *trust, const struct event *event)
{
	trust->budget->left += WORK_MORE;
	switch (event->kind) {
	case EVENT_READ:
		return apply_read(trust, event);
	case EVENT_SIGHTING:
		return apply_sighting(trust, event);
	case EVENT_INVALIDATE:
		return apply_invalidate(trust, event);
	case EVENT_BLIND:
		return apply_blind(trust, event);
	case EVENT_EDIT_FAILED:
		note_edit(trust, trust->edit_failed, event);
		return TRUST_CLEARED;
	case EVENT_EDITED:
		return apply_edited(trust, event);
	case EVENT_FORGET:
		break;
	}
	add_hole(trust, (struct span){NULL, 0}, 1, UINT64_MAX);
	trust->epoch++; /* this clears every file */
	return TRUST_CLEARED;
}

enum trust_find
trust_find(const struct trust *trust, struct span path, struct span name,
    struct scope scope, struct trust_base *base)
{
	struct file *file = find_file(trust->by_path, path);
	struct file *named = find_file(trust->by_name, name);
	struct alias *alias = find_alias(trust, file, name);
	const struct slot *exact, *slot;

	if (named != NULL && named != file)
		return TRUST_MOVED;
	if (alias == NULL)
		return TRUST_NEVER;
	exact = find_slot(alias, scope);
	if (is_refreshed(alias, exact))
		return TRUST_REFRESHED;
	slot = exact != NULL && exact->trusted ? exact : NULL;
	if (alias->full.trusted &&
	    (slot == NULL || alias->full.seq > slot->seq))
		slot = &alias->full;
	if (slot == NULL)
		return TRUST_NEVER;
	*base = (struct trust_base){slot->hash, slot->text_seq, slot->text};
	return TRUST_FOUND;
}

enum telling { BY_TEXT, BY_TEXT_OR_DIFF };

/* Remove from GAPS what VIEW shows of the file PATH by NAME, HOW. */
static void
fill_by(struct gaps *gaps, const struct trust_view *view, struct span path,
    struct span name, enum telling how)
{
	if (view->shows && (view->anchor || how == BY_TEXT_OR_DIFF) &&
	    span_eq(view->path, path) && span_eq(view->name, name))
		gaps_fill(gaps, view->first,
		    view->ends ? UINT64_MAX : view->last);
}

/* Were lines FIRST to LAST shown, HOW, after SEQ? */
static bool
shown_since(const struct trust *trust, struct span path, struct span name,
    uint64_t seq, uint64_t first, uint64_t last, enum telling how)
{
	struct trust_views views = trust_views(trust, path, name);
	struct gaps gaps = gaps_new(trust->arena, trust->budget, first, last);
	const struct trust_view *view;

	while (!gaps_none(&gaps) &&
	    (view = trust_next_view(&views)) != NULL && view->seq > seq)
		fill_by(&gaps, view, path, name, how);
	return gaps_none(&gaps);
}

/*
 * Walk holes and views side by side, newest first.  At each hole, GAPS are the
 * lines that were not shown since.
 */
bool
trust_void(const struct trust *trust, struct span path, struct span name,
    uint64_t first, uint64_t last)
{
	struct trust_views views = trust_views(trust, path, name);
	struct gaps gaps = gaps_new(trust->arena, trust->budget, first, last);
	const struct trust_view *view = NULL;

	for (const struct hole *hole = trust->holes; hole != NULL;
	     hole = hole->next) {
		if (!is_hole_of(hole, path, name))
			continue;
		if (view == NULL)
			view = trust_next_view(&views);
		for (; view != NULL && view->seq > hole->seq;
		     view = trust_next_view(&views))
			fill_by(&gaps, view, path, name, BY_TEXT);
		if (gaps_none(&gaps))
			return false; /* shown since every older hole, too */
		if (gaps_touch(&gaps, hole->first, hole->last))
			return true;
	}
	return false;
}

/*
 * The views of a version are ranges, which must make up the whole file.  They
 * are collected newest first.  What they leave out is a list of gaps.
 */
bool
trust_knows_version(const struct trust *trust, struct span path,
    struct span name, const struct digest *hash, struct rests *rests)
{
	struct trust_views views = trust_views(trust, path, name);
	const struct trust_view *view;
	struct gaps gaps;
	bool begun = false;

	while ((view = trust_next_view(&views)) != NULL) {
		if (view->veiled || !digest_eq(&view->hash, hash))
			return false;
		if (!view->shows || !span_eq(view->path, path) ||
		    !span_eq(view->name, name))
			continue;
		if (!begun)
			gaps = gaps_new(trust->arena, trust->budget, 1,
			    view->total);
		begun = true;
		if (rests != NULL)
			trust_rest_on(trust, rests, view->text, view->seq);
		gaps_fill(&gaps, view->first, view->last);
		if (gaps_none(&gaps))
			return !trust_void(trust, path, name, 1, UINT64_MAX);
	}
	return false;
}

uint64_t
trust_repeats(const struct trust *trust, struct span path, struct span name,
    struct scope scope, const struct digest *hash)
{
	struct alias *alias = find_alias(trust,
	    find_file(trust->by_path, path), name);
	const struct slot *slot = alias != NULL ? find_slot(alias, scope)
						: NULL;

	return slot != NULL && slot->repeats_since == alias->texts &&
		digest_eq(&slot->repeated, hash)
	    ? slot->repeats
	    : 0;
}

/* The later of the edits of PATH and of NAME; 0 if there is none. */
static uint64_t
latest_edit(const struct map *edits, struct span path, struct span name)
{
	const uint64_t *by_path = map_find(edits, path);
	const uint64_t *by_name = map_find(edits, name);
	uint64_t latest = by_path != NULL ? *by_path : 0;

	return by_name != NULL && *by_name > latest ? *by_name : latest;
}

bool
trust_edited(const struct trust *trust, struct span path, struct span name,
    uint64_t first, uint64_t last)
{
	uint64_t edited = latest_edit(trust->edited, path, name);

	return edited > 0 &&
	    !shown_since(trust, path, name, edited - 1, first, last,
		BY_TEXT_OR_DIFF);
}

bool
trust_edit_failed(const struct trust *trust, struct span path,
    struct span name, uint64_t first, uint64_t last)
{
	uint64_t failed = latest_edit(trust->edit_failed, path, name);

	return failed > 0 &&
	    !shown_since(trust, path, name, failed - 1, first, last, BY_TEXT);
}

/* The next slot of ALIAS: the full one comes first, then the ranges. */
static const struct slot *
next_slot(const struct alias *alias, const struct slot *slot)
{
	return slot == &alias->full ? alias->ranges : slot->next;
}

static int
compare_items(const void *left, const void *right)
{
	const struct trust_item *a = left, *b = right;
	int order = span_compare(a->path, b->path);

	if (order == 0)
		order = span_compare(a->name, b->name);
	if (order == 0)
		order = (int)a->scope.kind - (int)b->scope.kind;
	if (order == 0)
		order = (a->scope.first > b->scope.first) -
		    (a->scope.first < b->scope.first);
	if (order == 0)
		order = (a->scope.last > b->scope.last) -
		    (a->scope.last < b->scope.last);
	return order;
}

size_t
trust_list(const struct trust *trust, struct arena *arena,
    struct trust_item **items)
{
	uint64_t paths, scopes;
	size_t n = 0;

	trust_count(trust, &paths, &scopes);
	*items = arena_array(arena, scopes + 1, sizeof(**items));
	for (const struct file *f = trust->files; f != NULL; f = f->next)
		for (const struct alias *a = first_alias(trust, f); a != NULL;
		     a = a->next)
			for (const struct slot *s = &a->full; s != NULL;
			     s = next_slot(a, s))
				if (s->trusted)
					(*items)[n++] = (struct trust_item){
					    f->path, a->name, s->scope,
					    s->hash, s->seq};
	qsort(*items, n, sizeof(**items), compare_items);
	return n;
}

void
trust_count(const struct trust *trust, uint64_t *paths, uint64_t *scopes)
{
	*paths = *scopes = 0;
	for (const struct file *f = trust->files; f != NULL; f = f->next) {
		uint64_t here = 0;

		for (const struct alias *a = first_alias(trust, f); a != NULL;
		     a = a->next)
			for (const struct slot *s = &a->full; s != NULL;
			     s = next_slot(a, s))
				here += s->trusted;
		*scopes += here;
		*paths += here > 0;
	}
}
