#include "session/dirs.h"

void
dirs_add(struct dirs *dirs, struct arena *arena, struct span dir)
{
	for (size_t i = 0; i < dirs->n; i++)
		if (span_eq(dirs->list[i], dir))
			return;
	if (dirs->n == DIRS_MAX) {
		dirs->untold = true;
		return;
	}
	dirs->list = arena_more(arena, dirs->list, dirs->n, &dirs->room,
	    sizeof(*dirs->list));
	dirs->list[dirs->n++] = dir;
}
