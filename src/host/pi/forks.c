#include "host/pi/forks.h"

#include "host/pi/session_file.h"

enum { FORKS_MAX = 32 }; /* how many parents are looked at */

void
forks_dirs(struct dirs *dirs, struct arena *arena, struct span cwd,
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
		cwd = file.cwd;
		parent = file.parent;
		arena_close_fd(arena, file.fd);
	}
	dirs->untold = true;
}
