/*
 * watch_times.h -- have names come and gone in a directory, by its times?
 *
 * For a system that gives no notices (os/notice.h).  The times of a directory
 * change with every name in it, and do not say which one.  So the answer "no"
 * is sure, and "yes" may be about another name.
 */
#ifndef READCACHE_WORK_FINGERPRINT_WATCH_TIMES_H
#define READCACHE_WORK_FINGERPRINT_WATCH_TIMES_H

#include <sys/stat.h>

#include "base/arena.h"

/* A directory as it was, and what was at one name in it. */
struct watch_times {
	bool known; /* false: its times do not tell */
	struct stat dir;
	bool there; /* the name is not a pattern, and something was there */
	struct stat entry;
};

/*
 * Note how the directory FD is, and what is at COMPONENT, which is part of a
 * pattern or LITERAL.  Waits for some milliseconds if the directory has just
 * changed: a second change at the same tick of the clock could not be seen.
 */
struct watch_times watch_times_note(
    struct arena *arena, int fd, struct span component, bool literal);

/*
 * Is it sure that nothing that COMPONENT matches has come or gone since?  DIR
 * is the name of the directory.
 */
bool watch_times_same(struct arena *arena, const struct watch_times *old,
    struct span dir, struct span component);

#endif
