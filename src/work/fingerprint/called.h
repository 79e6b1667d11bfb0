/*
 * called.h -- how keys call the directory of some work.
 *
 * A project that has moved, and another clone of it, shall find what was done;
 * another project never.  In its own store (path/project.h) a project is alone
 * with itself, and the way below its root is enough.  A store that is
 * elsewhere may be shared by many: there a project is its repository, known by
 * its first commit.  Where that cannot be told, a directory is called by its
 * absolute name.
 */
#ifndef READCACHE_WORK_FINGERPRINT_CALLED_H
#define READCACHE_WORK_FINGERPRINT_CALLED_H

#include <sys/stat.h>

#include "base/arena.h"

struct called {
	struct span first; /* the first commit; p is NULL where none counts */
	struct span dir;   /* from the project's root, or absolute */
};

/* The repository that was asked last, for those with many questions. */
struct called_known {
	struct span root, first; /* first.p is NULL: there is none */
	struct stat git;	 /* its .git then */
};

/*
 * How keys call DIR, which is absolute and in the project at ROOT ("" if it
 * is in none), in the store whose place is STORE.  What git says is put into
 * KNOWN and lives in ARENA, which must live as long.
 */
struct called called_of(struct arena *arena, struct called_known *known,
    struct span root, struct span store, struct span dir);

#endif
