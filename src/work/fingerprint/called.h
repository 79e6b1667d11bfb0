/*
 * called.h -- the name that keys use for the directory of some work.
 *
 * A project that was moved, or another clone of it, should find what was done
 * before; another project must never find it.  In its own store
 * (path/project.h) a project is alone, so the path from its root is enough.  A
 * store elsewhere may be shared by many projects.  There a project is
 * identified by the first commit of its repository.  If that is not known, the
 * directory's absolute name is used.
 */
#ifndef READCACHE_WORK_FINGERPRINT_CALLED_H
#define READCACHE_WORK_FINGERPRINT_CALLED_H

#include <sys/stat.h>

#include "base/arena.h"

struct called {
	struct span first; /* the first commit; p is NULL if it is not needed */
	struct span dir;   /* from the project's root, or absolute */
};

/* What git said last, to save asking it again. */
struct called_known {
	struct span root, first; /* first.p is NULL: it has none */
	struct stat git;	 /* the state of its .git then */
};

/*
 * The name of DIR in keys.  DIR is absolute and in the project at ROOT ("" if
 * it is in none); STORE is the path of the store.  What git says is put into
 * KNOWN and lives in ARENA, so ARENA must live as long as KNOWN.
 */
struct called called_of(struct arena *arena, struct called_known *known,
    struct span root, struct span store, struct span dir);

#endif
