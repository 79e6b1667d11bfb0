#include "session/file.h"

#include "base/slurp.h"

bool
session_file_at(const struct session_file *file, struct arena *arena,
    struct session_place place, struct span *bytes)
{
	char *p = arena_alloc(arena, place.size);

	*bytes = (struct span){p, place.size};
	return slurp_at(file->fd, p, place.size, place.offset);
}
