/*
 * where.h -- the place that a path leads to: one name for all its spellings.
 *
 * "o", "./o", "a/../o", "link/o" and the absolute name are one place if the
 * kernel would reach the same file by them.  A file that does not exist has a
 * place too: the directories above it that exist are looked at, and the rest is
 * taken as it is written.
 *
 * Two hard links are two places, and so are two mounts of one directory.
 */
#ifndef READCACHE_PATH_WHERE_H
#define READCACHE_PATH_WHERE_H

#include "base/arena.h"
#include "path/links.h"

struct where {
	struct span name;   /* absolute; without links, "." and ".." */
	struct span *links; /* the links on the way, each by its own place */
	size_t nlinks, room;
};

enum where_last {
	WHERE_LEADS, /* follow a link at the end: the file that is read */
	WHERE_ITSELF /* do not: what is replaced or removed */
};

/*
 * The place of PATH, which is absolute or relative to the absolute directory
 * ROOT.
 */
struct where where_of(struct arena *arena, struct span root, struct span path,
    enum where_last last);

/* As where_of.  LINKS saves system calls (see links.h) and may be NULL. */
struct where where_among(struct arena *arena, struct span root,
    struct span path, enum where_last last, struct links *links);

/*
 * As where_of, for many paths one after the other, which are in directories
 * near to each other.  *REAL, at first empty, is a directory that is known to
 * have no link in its name, so that its parts are not looked at once more.
 * Empty it when anything may have changed.
 */
struct where where_along(struct arena *arena, struct span root,
    struct span path, enum where_last last, struct span *real);

/* Is the place NAME the place DIR, or below it? */
bool where_within(struct span name, struct span dir);

/*
 * Does replacing MADE (a WHERE_ITSELF) change what USED leads to?  True if one
 * of the two is the other or is in it, or if MADE is on the way to USED.
 */
bool where_meets(const struct where *made, const struct where *used);

#endif
