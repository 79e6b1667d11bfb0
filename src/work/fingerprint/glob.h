/*
 * glob.h -- find the files that match a pattern.
 *
 * Components are matched as pattern.h says.  "**" as a whole component is any
 * number of directories, including none.  It does not enter directories whose
 * name begins with a dot, or those that are reached by a link (a link that is
 * named, or matched by another component, is followed).  Braces are
 * alternatives.  A leading "./" is dropped; ".." and absolute patterns are
 * allowed.  Directories are matches too.  No match gives an empty list, which
 * is valid.
 */
#ifndef READCACHE_WORK_FINGERPRINT_GLOB_H
#define READCACHE_WORK_FINGERPRINT_GLOB_H

#include <sys/stat.h>

#include "base/arena.h"
#include "work/fingerprint/still.h"

struct glob_match {
	struct span path; /* relative or absolute, as in the pattern */
	struct stat st;	  /* of its target; of the link if that leads nowhere */
};

struct glob_list {
	struct glob_match *items; /* sorted by the bytes of their paths */
	size_t n, room;
};

/*
 * Find what PATTERN matches below the directory CWD, each path once.  NULL if
 * that worked, else a sentence that says why it is not known: a directory that
 * cannot be read, too many braces.  STILL, if not NULL, notes where was
 * searched.
 */
const char *glob_find(struct arena *arena, struct span cwd, struct span pattern,
    struct still *still, struct glob_list *list);

/* Is TEXT a pattern, or just a name? */
bool glob_is_pattern(struct span text);

#endif
