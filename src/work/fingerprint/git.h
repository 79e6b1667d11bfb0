/*
 * git.h -- which commit a ref is.
 *
 * Read from the repository's files: the process git costs twenty times as
 * much.  What that cannot answer (HEAD~1, another kind of ref storage) is
 * asked of git itself.
 */
#ifndef READCACHE_WORK_FINGERPRINT_GIT_H
#define READCACHE_WORK_FINGERPRINT_GIT_H

#include "base/arena.h"
#include "work/fingerprint/still.h"

enum git_found {
	GIT_FOUND,
	GIT_NO_REPOSITORY, /* CWD is in none: an answer, not a failure */
	GIT_UNKNOWN	   /* there is one, but nobody can say */
};

/*
 * The name (hexadecimal) of what REF is in the repository around CWD.  STILL,
 * if not NULL, notes the files that say so; of what git itself is asked, those
 * of HEAD and of the ref that it begins with.
 */
enum git_found git_resolve(struct arena *arena, struct span cwd,
    struct span ref, struct still *still, struct span *name);

/*
 * The first commit of the repository at ROOT, which all its clones have and no
 * other project: the end of HEAD's line of first parents.  False if it has
 * none, or nobody can say.
 */
bool git_first(struct arena *arena, struct span root, struct span *name);

/* May REF be asked for?  One that begins with "-" would be an option. */
bool git_ref_valid(struct span ref);

#endif
