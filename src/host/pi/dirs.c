#include "host/pi/dirs.h"

#include "host/pi/session_file.h"

enum { FORKS_MAX = 32 }; /* how many parents are looked at */

void
dirs_add(struct dirs *dirs, struct arena *arena, struct span dir)
{
	for (size_t i = 0; i < dirs->n; i++)
		if (span_eq(dirs->list[i], dir))
			return;
	dirs->list = arena_more(arena, dirs->list, dirs->n, &dirs->room,
	    sizeof(*dirs->list));
	dirs->list[dirs->n++] = dir;
}

void
dirs_of_headers(struct dirs *dirs, struct arena *arena, struct span cwd,
    struct span parent)
{
	for (int i = 0; i <= FORKS_MAX; i++) {
		struct session_file file;

		if (cwd.n > 0 && cwd.p[0] == '/')
			dirs_add(dirs, arena, cwd);
		else
			dirs->untold = true;
		if (parent.n == 0)
			return;
		if (parent.p[0] != '/' || i == FORKS_MAX ||
		    !session_file_open(arena, parent, &file))
			break;
		cwd = file.origin.cwd;
		parent = file.origin.parent;
		arena_close_fd(arena, file.fd);
	}
	dirs->untold = true;
}
