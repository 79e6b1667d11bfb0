/*
 * watch.h -- watch directories for names that come and go (inotify).
 */
#ifndef READCACHE_WORK_FINGERPRINT_WATCH_H
#define READCACHE_WORK_FINGERPRINT_WATCH_H

#include "base/arena.h"

struct watch;

/* Nothing is watched yet. */
struct watch *watch_new(struct arena *arena);

/* Watch the directory FD for names that match COMPONENT of a pattern. */
void watch_names(struct watch *watch, int fd, struct span component);

/* Watch the directory FD for the first component of PATH. */
void watch_name(struct watch *watch, int fd, struct span path);

/*
 * Watch whether the directory PATH, an absolute name, is itself moved or
 * removed.  If that cannot be watched, nothing is reported.
 */
void watch_self(struct watch *watch, struct span path);

/*
 * Did no watched name come and go, or go and come back?  A name that came and
 * is still there does not count: whoever looks again sees it.  Neither does
 * what is at, in, or on the way to one of the N places MADE.  False if *WHICH
 * did, or if it cannot be known.
 *
 * Where the system gives no notices (os/notice.h), the times of the directories
 * are compared.  They do not say which name it was, so a name that is MADE in a
 * directory whose names count makes it false.
 */
bool watch_quiet(struct watch *watch, const struct span *made, size_t n,
    struct span *which);

/* End WATCH, which may be NULL. */
void watch_end(struct watch *watch);

#endif
