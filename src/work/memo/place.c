#include "work/memo/place.h"

#include "path/project.h"
#include "path/where.h"

struct called
place_of(struct arena *arena, const struct store *store,
    struct called_known *known, const struct phase *phase, struct span cwd)
{
	/* Resolved: two projects may reach one store by different links. */
	struct span at =
	    where_of(arena, SPAN("/"), store->root, WHERE_LEADS).name;
	struct span root = project_around(arena, at, cwd);

	if (phase->scope != SCOPE_CROSS_RUN && !project_has_store(root, at))
		return (struct called){.dir = cwd};
	return called_of(arena, known, root, at, cwd);
}
