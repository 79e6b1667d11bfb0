/*
 * locate.h -- which file a request means.
 */
#ifndef READCACHE_FILE_LOCATE_H
#define READCACHE_FILE_LOCATE_H

#include <stdint.h>

#include "path/name.h"

struct locate_where {
	struct span cwd;
	struct span home;
};

struct target {
	struct span name;   /* absolute; this is what will be opened */
	struct span called; /* the same as the model spells it */
	struct span asked;  /* the path as the model wrote it, without range */
	bool ranged;	    /* a range was written after the path: */
	uint64_t first;
	uint64_t last; /* 0: to the end */
};

/*
 * Resolve PATH and look which of its spellings exists (SPEC 3).  What the model
 * calls one file may be another one later, where the spelling comes to exist
 * that it wrote, so CALLED is the name of T11.  Only if RANGES
 * is true may PATH end with a range.  A file that does not exist is NAME_OK:
 * opening it will report what is wrong.
 */
enum name_status locate(struct arena *arena, struct span path, bool ranges,
    const struct locate_where *where, struct target *target,
    struct name_error *error);

/*
 * The real path of NAME; NAME itself if nothing is there.  False if that cannot
 * be found out now, so that it is not known which file NAME is.
 */
bool locate_real(struct arena *arena, struct span name, struct span *real);

/*
 * The home directory: $HOME, even if it is empty, otherwise from /etc/passwd.
 * False if there is none that the host could use; its own read then fails.
 */
bool locate_home(struct span *home);

#endif
