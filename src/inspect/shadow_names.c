/*
 * The files that recorded calls name, and the calls beside a read.
 */
#include "inspect/shadow_inside.h"
#include "path/name.h"

/*
 * The absolute name of PATH in the session; false if it is not known.  A fork
 * into another directory has calls of both directories.  A parent session that
 * is not available is assumed to be in the same directory: this is an
 * estimate.
 */
static bool
resolve(struct shadow_walk *w, struct span path, struct span *name)
{
	const struct index *index = w->records->index;
	struct name_error ignored;
	struct span other;

	if (path.n == 0 || index->cwd.n == 0 ||
	    name_resolve(w->scratch, path, index->cwd, w->home, name,
		&ignored) != NAME_OK)
		return false;
	for (size_t i = 0; i < index->dirs.n; i++)
		if (name_resolve(w->scratch, path, index->dirs.list[i], w->home,
			&other, &ignored) != NAME_OK ||
		    !span_eq(other, *name))
			return false;
	return true;
}

bool
shadow_name(
    struct shadow_walk *w, const struct record_call *call, struct span *name)
{
	uint64_t *found;

	if (call == NULL || !resolve(w, call->path, name))
		return false;
	found = map_find(w->by_name, *name);
	if (found == NULL)
		*name = (struct span){arena_cstr(w->arena, *name), name->n};
	else
		*name = ((struct summed *)(uintptr_t)*found)->sum.name;
	return true;
}

/* Find what the message NODE changes, once for all its reads. */
static void
find_changes(struct shadow_walk *w, uint32_t node)
{
	const struct record_call *call = w->records->of[node].asking->calls;
	struct span name;

	w->changes_of = node;
	arena_reset(w->changes_arena);
	w->changes = map_new(w->changes_arena, 1);
	w->changes_any = w->unknown = false;
	for (; call != NULL; call = call->next) {
		w->unknown = w->unknown || call->tool == TOOL_UNKNOWN;
		if (call->tool != TOOL_CHANGES)
			continue;
		if (!resolve(w, call->path, &name))
			w->changes_any = true;
		else
			(void)map_at(w->changes,
			    (struct span){
				arena_cstr(w->changes_arena, name), name.n},
			    1);
	}
}

bool
shadow_beside(struct shadow_walk *w, struct replica *r)
{
	if (w->changes_of != r->read.asked_by)
		find_changes(w, r->read.asked_by);
	if (w->unknown)
		r->beside = BESIDE_UNKNOWN;
	return !w->changes_any && map_find(w->changes, r->name) == NULL;
}
