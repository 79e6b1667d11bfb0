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

/* Add one to what NAMES counts for the file of CALL.  False: it may be any. */
static bool
count(struct shadow_walk *w, struct map *names, const struct record_call *call)
{
	struct span name;

	if (!resolve(w, call->path, &name))
		return false;
	++*map_at(names,
	    (struct span){arena_cstr(w->beside_arena, name), name.n}, 0);
	return true;
}

/* Find what the calls of the message NODE do, once for all its reads. */
static void
find_calls(struct shadow_walk *w, uint32_t node)
{
	const struct record_call *call = w->records->of[node].asking->calls;

	w->beside_of = node;
	arena_reset(w->beside_arena);
	w->changes = map_new(w->beside_arena, 1);
	w->reads = map_new(w->beside_arena, 1);
	w->changes_any = w->reads_any = w->unknown = false;
	for (; call != NULL; call = call->next)
		switch (call->tool) {
		case TOOL_UNKNOWN:
			w->unknown = true;
			break;
		case TOOL_CHANGES:
			w->changes_any |= !count(w, w->changes, call);
			break;
		case TOOL_READS:
			w->reads_any |= !count(w, w->reads, call);
			break;
		case TOOL_HARMLESS:
			break;
		}
}

bool
shadow_beside(struct shadow_walk *w, struct replica *r)
{
	const uint64_t *reads;

	if (w->beside_of != r->read.asked_by)
		find_calls(w, r->read.asked_by);
	if (w->unknown)
		r->beside = BESIDE_UNKNOWN;
	reads = map_find(w->reads, r->name);
	r->read_beside = w->reads_any || (reads != NULL && *reads > 1);
	return !w->changes_any && map_find(w->changes, r->name) == NULL;
}
