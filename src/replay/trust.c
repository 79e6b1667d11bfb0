#include "replay/trust.h"

#include "base/map.h"

/*
 * One scope of one file.  Invariants:
 *  1. trusted: the reader has seen the scope's lines of version hash, and
 *     they are in its context; seq is when.
 *  2. seen_seq > 0: version seen_hash of these lines was shown at seen_seq,
 *     whether or not that may still serve as a base.  seen_seq >= seq.
 *  3. refreshed implies not trusted, and a range.
 */
struct slot {
	struct slot *next;
	struct scope scope;
	bool trusted;
	bool refreshed;
	struct digest hash;
	uint64_t seq;
	struct digest seen_hash;
	uint64_t seen_seq;
};

struct file {
	struct file *next;
	struct slot full;
	struct slot *ranges;
};

struct trust {
	struct arena *arena;
	struct file *files;
	struct map *by_path; /* path -> struct file * */
	struct map *by_name; /* name -> struct file * it was last read from */
	uint64_t seq;
};

struct trust *
trust_new(struct arena *arena)
{
	struct trust *trust = arena_array(arena, 1, sizeof(*trust));

	trust->arena = arena;
	trust->by_path = map_new(arena, 16);
	trust->by_name = map_new(arena, 16);
	return trust;
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
	file->full.scope = scope_full();
	file->next = trust->files;
	trust->files = file;
	*map_at(trust->by_path, path, 0) = (uintptr_t)file;
	return file;
}

static struct slot *
find_slot(struct file *file, struct scope scope)
{
	struct slot *slot;

	if (scope.kind == SCOPE_FULL)
		return &file->full;
	for (slot = file->ranges; slot != NULL; slot = slot->next)
		if (scope_eq(slot->scope, scope))
			return slot;
	return NULL;
}

static struct slot *
make_slot(struct trust *trust, struct file *file, struct scope scope)
{
	struct slot *slot = find_slot(file, scope);

	if (slot != NULL)
		return slot;
	slot = arena_array(trust->arena, 1, sizeof(*slot));
	slot->scope = scope;
	slot->next = file->ranges;
	file->ranges = slot;
	return slot;
}

/* Nothing of FILE is known any more. */
static void
clear_file(struct file *file)
{
	file->full = (struct slot){.scope = scope_full()};
	file->ranges = NULL;
}

enum guard {
	IGNORE, /* also every cell below that is not named */
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
guard_met(struct file *file, const struct event *ev)
{
	const struct slot *exact = find_slot(file, ev->scope);

	switch (guards[ev->mode][ev->scope.kind]) {
	case ANCHOR:
		return true;
	case FULL_IS_BASE_AND_SERVED:
		return ev->has_base && slot_is(&file->full, &ev->base) &&
		    digest_eq(&ev->served, &ev->base);
	case FULL_IS_BASE:
		return ev->has_base && slot_is(&file->full, &ev->base);
	case RANGE_OR_FULL_IS_BASE:
		if (exact != NULL && exact->refreshed)
			return false; /* T7: only an anchor ends it */
		return ev->has_base &&
		    (slot_is(exact, &ev->base) ||
			slot_is(&file->full, &ev->base));
	case IGNORE:
		break;
	}
	return false;
}

static void
see(struct slot *slot, const struct digest *hash, uint64_t seq)
{
	slot->seen_hash = *hash;
	slot->seen_seq = seq;
}

static enum trust_step
apply_read(struct trust *trust, const struct event *ev)
{
	struct file *file = make_file(trust, ev->path);
	struct slot *slot;

	trust->seq++;
	*map_at(trust->by_name, ev->name, 0) = (uintptr_t)file;
	if (!guard_met(file, ev))
		return TRUST_IGNORED;

	slot = make_slot(trust, file, ev->scope);
	slot->trusted = true;
	slot->refreshed = false;
	slot->hash = ev->served;
	slot->seq = trust->seq;
	see(slot, &ev->served, trust->seq);
	if (ev->scope.kind == SCOPE_FULL &&
	    guards[ev->mode][SCOPE_FULL] == ANCHOR)
		for (slot = file->ranges; slot != NULL; slot = slot->next)
			slot->refreshed = false; /* T7: the anchor of full */
	return TRUST_SET;
}

static enum trust_step
apply_sighting(struct trust *trust, const struct event *ev)
{
	struct file *file = make_file(trust, ev->path);

	trust->seq++;
	*map_at(trust->by_name, ev->name, 0) = (uintptr_t)file;
	see(make_slot(trust, file, ev->scope), &ev->served, trust->seq);
	return TRUST_IGNORED;
}

static enum trust_step
apply_invalidate(struct trust *trust, const struct event *ev)
{
	struct file *file = make_file(trust, ev->path);
	struct slot *slot;

	if (ev->scope.kind == SCOPE_FULL) {
		clear_file(file);
		return TRUST_CLEARED;
	}
	slot = make_slot(trust, file, ev->scope);
	slot->trusted = false;
	slot->refreshed = true;
	return TRUST_CLEARED;
}

/* T12: under this name something was shown that nothing is known of. */
static enum trust_step
apply_blind(struct trust *trust, const struct event *ev)
{
	struct file *real = find_file(trust->by_path, ev->name);
	struct file *named = find_file(trust->by_name, ev->name);

	if (real != NULL)
		clear_file(real);
	if (named != NULL)
		clear_file(named);
	return real != NULL || named != NULL ? TRUST_CLEARED : TRUST_IGNORED;
}

enum trust_step
trust_apply(struct trust *trust, const struct event *event)
{
	switch (event->kind) {
	case EVENT_READ:
		return apply_read(trust, event);
	case EVENT_SIGHTING:
		return apply_sighting(trust, event);
	case EVENT_INVALIDATE:
		return apply_invalidate(trust, event);
	case EVENT_BLIND:
		return apply_blind(trust, event);
	case EVENT_FORGET:
		break;
	}
	for (struct file *f = trust->files; f != NULL; f = f->next)
		clear_file(f);
	return TRUST_CLEARED;
}

enum trust_find
trust_find(const struct trust *trust, struct span path, struct span name,
    struct scope scope, struct trust_base *base)
{
	struct file *file = find_file(trust->by_path, path);
	struct file *named = find_file(trust->by_name, name);
	const struct slot *exact, *slot;

	if (named != NULL && named != file)
		return TRUST_MOVED;
	if (file == NULL)
		return TRUST_NEVER;
	exact = find_slot(file, scope);
	if (exact != NULL && exact->refreshed)
		return TRUST_REFRESHED;
	slot = exact != NULL && exact->trusted ? exact : NULL;
	if (file->full.trusted && (slot == NULL || file->full.seq > slot->seq))
		slot = &file->full;
	if (slot == NULL)
		return TRUST_NEVER;
	*base = (struct trust_base){slot->hash, slot->seq};
	return TRUST_FOUND;
}

/* The slots of FILE in turn: the full one, then its ranges. */
static const struct slot *
next_slot(const struct file *file, const struct slot *slot)
{
	return slot == &file->full ? file->ranges : slot->next;
}

bool
trust_newer(const struct trust *trust, struct span path, struct scope scope,
    const struct trust_base *base, size_t *at, struct trust_view *view)
{
	const struct file *file = find_file(trust->by_path, path);
	const struct slot *s;
	size_t index = 0;

	if (file == NULL)
		return false;
	for (s = &file->full; s != NULL; s = next_slot(file, s)) {
		if (index++ < *at || s->seen_seq <= base->seq ||
		    digest_eq(&s->seen_hash, &base->hash) ||
		    !scope_overlap(s->scope, scope, &view->first, &view->last))
			continue;
		*at = index;
		view->hash = s->seen_hash;
		return true;
	}
	return false;
}

void
trust_count(const struct trust *trust, uint64_t *paths, uint64_t *scopes)
{
	*paths = *scopes = 0;
	for (const struct file *f = trust->files; f != NULL; f = f->next) {
		uint64_t here = 0;

		for (const struct slot *s = &f->full; s != NULL;
		     s = next_slot(f, s))
			here += s->trusted;
		*scopes += here;
		*paths += here > 0;
	}
}
