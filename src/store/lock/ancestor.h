/*
 * ancestor.h -- is it one of our own ancestors that we would wait for?
 *
 * A command that runs readcache again, on the same files, would wait for the
 * process that waits for it.
 */
#ifndef READCACHE_STORE_LOCK_ANCESTOR_H
#define READCACHE_STORE_LOCK_ANCESTOR_H

#include <stdbool.h>

/*
 * The ancestor of this process that holds a flock on the file FD, or 0.
 * WRITTEN is the holder that the file's text names, 0 if none: it counts
 * where the system does not tell who holds what.
 */
long lock_ancestor(int fd, long written);

/* Has PID ended, whether or not its parent has taken notice? */
bool lock_is_dead(long pid);

#endif
