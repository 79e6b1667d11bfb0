/*
 * beneath.h -- names that stay below a directory.
 *
 * A name may lead through links, but not out of the directory, whatever is
 * moved meanwhile: the kernel sees to it (openat2, RESOLVE_BENEATH).  Where
 * it cannot, names are walked step by step and no link is followed at all.
 */
#ifndef READCACHE_OS_BENEATH_H
#define READCACHE_OS_BENEATH_H

#include "base/arena.h"

enum beneath_want { BENEATH_FIND, BENEATH_MAKE /* missing directories */ };

/* Where a name leads: a directory, opened, and the last component. */
struct beneath {
	int dir; /* to be closed by beneath_close */
	const char *name;
};

/*
 * Go to the directory that holds PATH, which is relative to ROOT, normalized
 * and not empty.  False: errno tells; EXDEV or ELOOP if PATH leads out.
 */
bool beneath_go(struct arena *arena, int root, struct span path,
    enum beneath_want want, struct beneath *place);

void beneath_close(struct beneath *place);

/* The directory PATH below ROOT ("" is ROOT itself); -1: errno tells. */
int beneath_dir(struct arena *arena, int root, struct span path);

/* The same as where the kernel does not help. */
int beneath_dir_by_steps(struct arena *arena, int root, struct span path);

/*
 * Remove what NAME in DIR is, a tree with all that is in it; no link is
 * followed.  Nothing there is success.  False: errno tells.
 */
bool beneath_remove(int dir, const char *name);

#endif
