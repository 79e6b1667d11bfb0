/*
 * beneath.h -- names that stay below a directory.
 *
 * A name may go through links, but not out of the directory, even if something
 * is moved meanwhile.  Where the system cannot guarantee that, a name is walked
 * step by step and no link is followed at all (os/open.h).
 */
#ifndef READCACHE_BASE_BENEATH_H
#define READCACHE_BASE_BENEATH_H

#include "base/arena.h"

enum beneath_want { BENEATH_FIND, BENEATH_MAKE /* missing directories */ };

/* What a name leads to: an open directory, and the last component. */
struct beneath {
	int dir; /* to be closed by beneath_close */
	const char *name;
};

/*
 * Open the directory that holds PATH, which is relative to ROOT, normalized and
 * not empty.  With BENEATH_MAKE, missing directories are made.  False on
 * failure: errno says why; EXDEV or ELOOP means that PATH leads out of ROOT.
 */
bool beneath_go(struct arena *arena, int root, struct span path,
    enum beneath_want want, struct beneath *place);

void beneath_close(struct beneath *place);

/*
 * Open the directory PATH below ROOT; "" is ROOT itself.  -1 on failure: errno
 * says why.
 */
int beneath_dir(struct arena *arena, int root, struct span path);

/*
 * What beneath_dir does where the system cannot help: no link is followed.  -1
 * on failure: errno says why.
 */
int beneath_dir_by_steps(struct arena *arena, int root, struct span path);

/*
 * Remove NAME in DIR; a directory is removed with everything in it, however deep
 * it is.  No link is followed.  If nothing is there, that is success.  False on failure: errno
 * says why.
 */
bool beneath_remove(struct arena *arena, int dir, const char *name);

#endif
