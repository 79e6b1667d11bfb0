/*
 * watch.h -- names that come and go in directories (inotify).
 */
#ifndef READCACHE_WORK_FINGERPRINT_WATCH_H
#define READCACHE_WORK_FINGERPRINT_WATCH_H

#include "base/arena.h"

struct watch;

struct watch *watch_new(struct arena *arena);

/* Watch the directory FD for names that fit COMPONENT of a pattern. */
void watch_names(struct watch *watch, int fd, struct span component);

/* Watch it for the first component of PATH. */
void watch_name(struct watch *watch, int fd, struct span path);

/*
 * Watch whether the directory PATH, an absolute name, is itself moved or
 * removed.  Where that cannot be watched it is not told either.
 */
void watch_self(struct watch *watch, struct span path);

/*
 * Did none of them come and go, or go and come?  A name that came and is
 * there does not count: who looks again sees it.  Nor does what is at, in or
 * on the way to the N places MADE.  False: *WHICH did, or nobody can tell.
 */
bool watch_quiet(struct watch *watch, const struct span *made, size_t n,
    struct span *which);

/* NULL is allowed. */
void watch_end(struct watch *watch);

#endif
