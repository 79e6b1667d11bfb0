/*
 * forks.h -- the sessions that a session of pi was forked from.
 */
#ifndef READCACHE_HOST_PI_FORKS_H
#define READCACHE_HOST_PI_FORKS_H

#include "session/dirs.h"

/*
 * Add what the headers of a session file say: its own directory CWD, and those
 * of the sessions it was forked from, beginning with the file PARENT.  Both may
 * be empty.
 */
void forks_dirs(struct dirs *dirs, struct arena *arena, struct span cwd,
    struct span parent);

#endif
