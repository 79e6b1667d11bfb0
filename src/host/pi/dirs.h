/*
 * dirs.h -- the directories in which the calls of a branch may have been made.
 *
 * A fork into another directory keeps the calls of its parent, whose relative
 * paths are of the parent's directory (SPEC 5).
 */
#ifndef READCACHE_HOST_PI_DIRS_H
#define READCACHE_HOST_PI_DIRS_H

#include "base/arena.h"

struct dirs {
	struct span *list;
	size_t n, room;
	bool untold; /* there is one more, and nobody knows which */
};

/* DIR must live as long as DIRS.  Each is listed once. */
void dirs_add(struct dirs *dirs, struct arena *arena, struct span dir);

/*
 * Add what the headers of a session file say: its own directory, CWD, and
 * those of the sessions it was forked from, beginning with the file PARENT.
 * Either may be empty.
 */
void dirs_of_headers(struct dirs *dirs, struct arena *arena, struct span cwd,
    struct span parent);

#endif
