/* The locks of a stage: see plan.h. */
#include <errno.h>

#include "os/bytes.h"
#include "work/stage/inputs.h"
#include "work/stage/plan.h"

/* ---- places ---- */

/* The place of PATH, as it is declared. */
static struct where
place_of(const struct work *work, struct span path, enum where_last last)
{
	return where_of(work->arena, work->root, input_path(work, path), last);
}

static void
add_place(
    struct place_list *list, const struct where *where, enum place_use use)
{
	place_list_add(list, where->name, use);
	/* Whoever replaces a link on the way changes where it leads. */
	for (size_t i = 0; i < where->nlinks; i++)
		place_list_add(list, where->links[i], PLACE_READ);
}

/* The place that A and B are both at or below. */
static struct span
common(struct span a, struct span b)
{
	size_t n = 0, end = 1;

	while (n < a.n && n < b.n && a.p[n] == b.p[n]) {
		if (a.p[n] == '/' && n > 0)
			end = n;
		n++;
	}
	if (n == a.n && (n == b.n || b.p[n] == '/'))
		end = n;
	return (struct span){a.p, end};
}

/*
 * The places of the outputs.  Of very many their common directory is taken
 * instead: too many locks are slow.
 */
static struct place_list
outputs_of(const struct work *work, const struct stage *stage)
{
	struct place_list list = place_list_new(work->arena);
	struct span above = SPAN("");

	for (size_t i = 0; i < stage->nouts; i++) {
		struct where where =
		    place_of(work, stage->outs[i].path, WHERE_ITSELF);

		add_place(&list, &where, PLACE_MADE);
		above = i == 0 ? where.name : common(above, where.name);
	}
	if (list.n > PLACES_MANY && stage->nouts > 1) {
		list = place_list_new(work->arena);
		place_list_add(&list, above, PLACE_MADE);
	}
	return list;
}

/*
 * Add inputs, but not to a list that is long already: the result of a stage
 * whose inputs change meanwhile is not kept anyway.
 */
static void
add_inputs(struct place_list *list, const struct work *work,
    const struct span *paths, size_t n)
{
	for (size_t i = 0; i < n && list->n < PLACES_MANY; i++) {
		struct where where = place_of(work, paths[i], WHERE_LEADS);

		add_place(list, &where, PLACE_READ);
	}
}

static enum lock_result
take_places(struct stage_plan *plan, enum lock_wait wait, lock_waiting *waiting,
    void *context)
{
	const struct stage *stage = plan->stage;
	struct work *work = plan->work;
	struct place_list list = outputs_of(work, stage);

	add_inputs(&list, work, stage->deps, stage->ndeps);
	add_inputs(&list, work, stage->code, stage->ncode);
	return places_take(
	    work->store, &list, wait, waiting, context, &plan->places);
}

/* ---- the store's locks ---- */

static struct lock_wish
path_wish(const struct work *work, struct span path, enum lock_kind kind)
{
	return (struct lock_wish){
	    path_lock(work, input_path(work, path)), kind};
}

/*
 * If places cannot be locked: the same locks in the store, without directories
 * above.
 */
static size_t
add_paths(const struct work *work, const struct stage *stage,
    struct lock_wish *wishes, size_t n)
{
	for (size_t i = 0; i < stage->nouts; i++)
		wishes[n++] =
		    path_wish(work, stage->outs[i].path, LOCK_EXCLUSIVE);
	for (size_t i = 0; i < stage->ndeps; i++)
		wishes[n++] = path_wish(work, stage->deps[i], LOCK_SHARED);
	for (size_t i = 0; i < stage->ncode; i++)
		wishes[n++] = path_wish(work, stage->code[i], LOCK_SHARED);
	return n;
}

static enum lock_result
take_store(struct stage_plan *plan, enum lock_wait wait, lock_waiting *waiting,
    void *context)
{
	const struct stage *stage = plan->stage;
	struct work *work = plan->work;
	struct lock_wish *wishes = arena_array(work->arena,
	    2 + stage->nouts + stage->ndeps + stage->ncode, sizeof(*wishes));
	size_t n = 0;

	/* The lock of the store keeps gc waiting. */
	wishes[n++] = (struct lock_wish){lock_store_name(), LOCK_SHARED};
	/* Outputs are brought back without a key, by the lock of a stage. */
	if (plan->in.resolved)
		wishes[n++] = (struct lock_wish){
		    lock_name("record", plan_key(plan)), LOCK_EXCLUSIVE};
	if (plan->places.n == 0)
		n = add_paths(work, stage, wishes, n);
	return lock_take(
	    work->store, wishes, n, wait, waiting, context, &plan->held);
}

/* ---- both ---- */

static bool
is_refused(enum lock_result result)
{
	return result == LOCK_BUSY || result == LOCK_OURS;
}

enum lock_result
plan_lock(struct stage_plan *plan, enum lock_wait wait, lock_waiting *waiting,
    void *context)
{
	enum lock_result result = take_places(plan, wait, waiting, context);

	if (!is_refused(result))
		result = take_store(plan, wait, waiting, context);
	plan->unlocked = result == LOCK_OURS ? EDEADLK
			 : errno != 0	     ? errno
					     : ENOLCK;
	if (is_refused(result)) {
		places_release(&plan->places);
		return result;
	}
	return plan_is_locked(plan) ? LOCK_TAKEN : LOCK_NONE;
}

bool
plan_is_locked(const struct stage_plan *plan)
{
	return plan->held != NULL || plan->places.n > 0;
}

void
plan_unlock(struct stage_plan *plan)
{
	lock_release(plan->held);
	plan->held = NULL;
	places_release(&plan->places);
}

/* Add the N descriptors FDS to ALL, which has *COUNT. */
static void
add_descriptors(int *all, size_t *count, const int *fds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		all[(*count)++] = fds[i];
}

int *
plan_descriptors(const struct stage_plan *plan, size_t *n)
{
	size_t nouts = plan->claims != NULL ? plan->stage->nouts : 0, nfds;
	const int *fds = lock_descriptors(plan->held, &nfds);
	int *all = arena_array(
	    plan->work->arena, plan->places.n + nfds + nouts + 1, sizeof(*all));

	*n = 0;
	add_descriptors(all, n, plan->places.fds, plan->places.n);
	add_descriptors(all, n, fds, nfds);
	for (size_t i = 0; i < nouts; i++) {
		fds = lock_descriptors(plan->claims[i], &nfds);
		add_descriptors(all, n, fds, nfds);
	}
	return all;
}
