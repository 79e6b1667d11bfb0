/*
 * place.h -- how the keys of phases call the directory of their work.
 *
 * A project that has moved, and another clone of it, shall find what was done;
 * another project never.  In its own store (path/project.h) a project is alone
 * with itself, and the way below its root is enough.  A store that is
 * elsewhere may be shared by many: there a project is its repository, known by
 * its first commit.  Where that cannot be told, and for what is reused within
 * one run only, the place is the absolute directory: ids of runs may be
 * counted, and come again in another clone.
 */
#ifndef READCACHE_MEMO_PLACE_H
#define READCACHE_MEMO_PLACE_H

#include <sys/stat.h>

#include "memo/phase.h"
#include "store/store.h"

struct place {
	struct span project; /* its first commit; p is NULL where none counts */
	struct span cwd;     /* from its root, or absolute */
};

/* The repository that was asked last, for hosts with many questions. */
struct place_known {
	struct span root, first; /* first.p is NULL: there is none */
	struct stat git;	 /* its .git then */
};

/* The place of PHASE, whose directory is really CWD, in the keys of STORE. */
struct place place_of(struct arena *arena, const struct store *store,
    struct place_known *known, const struct phase *phase, struct span cwd);

#endif
