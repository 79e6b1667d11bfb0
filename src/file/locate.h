/*
 * locate.h -- which file the request means.
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
	struct span name;  /* absolute, as it will be opened */
	struct span asked; /* the path as the model wrote it, without range */
	bool ranged;       /* a range was written behind the path: */
	uint64_t first;
	uint64_t last; /* 0: to the end */
};

/*
 * Resolve PATH and look which of its spellings exists (SPEC 3).  A range
 * suffix is looked for only if RANGES.  A file that does not exist is
 * NAME_OK: opening it tells what is wrong.
 */
enum name_status locate(struct arena *arena, struct span path, bool ranges,
    const struct locate_where *where, struct target *target,
    struct name_error *error);

/*
 * The real path of NAME; NAME itself if nothing is there.  False: it cannot
 * be told now, so nobody knows which file that is.
 */
bool locate_real(struct arena *arena, struct span name, struct span *real);

/*
 * HOME, even if empty; else the password database.  False if there is none,
 * or none that the host could use: its own read fails then.
 */
bool locate_home(struct span *home);

#endif
