/*
 * descent.h -- go down into directories and up again, however deep they are.
 *
 *	descent_begin(&descent, arena, fd);
 *	descent_down(&descent, "name");   ... descent.fd is the directory ...
 *	descent_up(&descent);
 *	descent_end(&descent);
 *
 * There is no recursion, and only a few descriptors are open at a time.  No
 * link is followed on the way down.  The way up leads to the very directory
 * from which the way down led, or it fails.
 */
#ifndef READCACHE_BASE_DESCENT_H
#define READCACHE_BASE_DESCENT_H

#include <sys/stat.h>

#include "base/arena.h"

struct descent_level;

struct descent {
	int fd;	      /* the present directory; the caller must not close it */
	size_t depth; /* 0: the directory where it began */
	/* private: */
	struct arena *arena;
	struct descent_level *above;
	size_t room;
};

/* Begin in the directory FD, which the descent closes. */
void descent_begin(struct descent *descent, struct arena *arena, int fd);

/* Go to the directory NAME.  False if there is none: errno says why. */
bool descent_down(struct descent *descent, const char *name);

/*
 * Go back up; the depth must not be 0.  False if the way does not lead back
 * because something was moved meanwhile: errno says why.
 */
bool descent_up(struct descent *descent);

/* Close what is open. */
void descent_end(struct descent *descent);

#endif
