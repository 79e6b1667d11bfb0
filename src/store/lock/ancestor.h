/*
 * ancestor.h -- is the lock held by one of our own ancestors?
 *
 * A command that runs readcache again on the same files would otherwise wait
 * for a process that waits for it.
 */
#ifndef READCACHE_STORE_LOCK_ANCESTOR_H
#define READCACHE_STORE_LOCK_ANCESTOR_H

#include <stdbool.h>

/*
 * The ancestor of this process that holds a flock on the file FD, or 0.
 * WRITTEN is the pid that the file's text names, or 0.  It is used only where
 * the system does not say who holds the lock.
 */
long lock_ancestor(int fd, long written);

/*
 * The nearest ancestor of this process for which HOLDS gives true, called with
 * CONTEXT; or 0.
 */
long ancestor_find(bool (*holds)(void *context, long pid), void *context);

/* Has PID ended?  A process that its parent has not reaped yet has. */
bool lock_is_dead(long pid);

#endif
