/*
 * git.h -- which commit a ref is.
 *
 * It is read from the repository's files, because running git takes twenty
 * times as long.  Git itself is asked about what cannot be read that way
 * (HEAD~1, another kind of ref storage).
 */
#ifndef READCACHE_WORK_FINGERPRINT_GIT_H
#define READCACHE_WORK_FINGERPRINT_GIT_H

#include "base/arena.h"
#include "work/fingerprint/still.h"

enum git_found {
	GIT_FOUND,
	GIT_NO_REPOSITORY, /* CWD is not in one: an answer, not a failure */
	GIT_UNKNOWN	   /* there is one, but it cannot be known */
};

/*
 * The commit, or other object, that REF is in the repository around CWD, as a
 * hexadecimal name.  STILL, if not NULL, notes the files that say so; if git
 * itself is asked, those of HEAD and of the ref that REF begins with.
 */
enum git_found git_resolve(struct arena *arena, struct span cwd,
    struct span ref, struct still *still, struct span *name);

/*
 * The first commit of the repository at ROOT: the end of HEAD's line of first
 * parents.  All clones have it, and no other project.  False if there is none,
 * or if it cannot be known.
 */
bool git_first(struct arena *arena, struct span root, struct span *name);

/* Can git be asked about REF?  One that begins with "-" would be an option. */
bool git_ref_valid(struct span ref);

#endif
