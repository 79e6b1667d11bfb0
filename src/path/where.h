/*
 * where.h -- the place that a path leads to: one name for all its spellings.
 *
 * "o", "./o", "a/../o", "link/o" and the absolute name of it are one place if
 * the kernel would come to one file by them.  What is not there yet has a
 * place too: the directories above it that are there are asked, and the rest
 * is taken as it is written.
 *
 * Two hard links are two places, and so are two mounts of one directory.
 */
#ifndef READCACHE_PATH_WHERE_H
#define READCACHE_PATH_WHERE_H

#include "base/arena.h"
#include "path/links.h"

struct where {
	struct span name;   /* absolute; no link, "." or ".." is in it */
	struct span *links; /* the links on the way, each by its own place */
	size_t nlinks, room;
};

enum where_last {
	WHERE_LEADS, /* a link at the end is followed: what is read by it */
	WHERE_ITSELF /* it is not: what is replaced or removed by it */
};

/* Where PATH leads, which is absolute or relative to the absolute ROOT. */
struct where where_of(struct arena *arena, struct span root, struct span path,
    enum where_last last);

/* The same; LINKS spares questions, see links.h, and may be NULL. */
struct where where_among(struct arena *arena, struct span root,
    struct span path, enum where_last last, struct links *links);

/* Is the place NAME the place DIR, or below it? */
bool where_within(struct span name, struct span dir);

/*
 * Does replacing MADE (WHERE_ITSELF) change what USED leads to: is one of
 * them the other, in the other, or is MADE on the way to USED?
 */
bool where_meets(const struct where *made, const struct where *used);

#endif
