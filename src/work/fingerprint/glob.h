/*
 * glob.h -- the files that a pattern names now.
 *
 * Components are matched as pattern.h says; "**" as a whole component is any
 * number of directories, also none, but not those whose name begins with a
 * dot, and not those that are reached by a link (a link that is named, or
 * matched by another component, is followed).  Braces are alternatives.  A
 * leading "./" is dropped; ".." and absolute patterns are taken as they are.
 * Directories are matches too.  No match is an empty list, which is fine.
 */
#ifndef READCACHE_WORK_FINGERPRINT_GLOB_H
#define READCACHE_WORK_FINGERPRINT_GLOB_H

#include <sys/stat.h>

#include "base/arena.h"
#include "work/fingerprint/still.h"

struct glob_match {
	struct span path; /* as the pattern has it: relative or absolute */
	struct stat st;	  /* of what it leads to; of the link if to nothing */
};

struct glob_list {
	struct glob_match *items; /* sorted by the bytes of their paths */
	size_t n, room;
};

/*
 * What PATTERN names below the directory CWD, each once.  NULL; or a
 * sentence that says why nobody can tell: a directory that cannot be read,
 * too many braces.  STILL, if not NULL, notes where it was looked.
 */
const char *glob_find(struct arena *arena, struct span cwd, struct span pattern,
    struct still *still, struct glob_list *list);

/* Is TEXT a pattern, or simply a name? */
bool glob_is_pattern(struct span text);

#endif
