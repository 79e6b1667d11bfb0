/*
 * dirs.h -- the directories in which a branch's calls may have been made.
 *
 * A session that was forked into another directory keeps its parent's calls.
 * Their relative paths refer to the parent's directory (SPEC 5).
 */
#ifndef READCACHE_SESSION_DIRS_H
#define READCACHE_SESSION_DIRS_H

#include "base/arena.h"

struct dirs {
	struct span *list;
	size_t n, room;
	bool untold; /* there is one more, which is not known */
};

/* Every relative path means something in each of them: so not too many. */
enum { DIRS_MAX = 40 };

/*
 * Add DIR, unless it is listed.  DIR must live as long as DIRS.  Beyond DIRS_MAX
 * it counts as not known.
 */
void dirs_add(struct dirs *dirs, struct arena *arena, struct span dir);

#endif
