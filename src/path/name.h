/*
 * name.h -- from what the model wrote to an absolute name (SPEC 3).
 *
 * Pure: the disk is not asked.  Every step is the host's own.
 */
#ifndef READCACHE_PATH_NAME_H
#define READCACHE_PATH_NAME_H

#include "base/arena.h"

enum name_status {
	NAME_OK,
	NAME_REFUSED, /* the host refuses it: code and message are set */
	NAME_UNUSUAL  /* leave it to the host */
};

struct name_error {
	const char *code;
	struct span message;
};

/*
 * Resolve PATH against the absolute directory CWD; HOME replaces a tilde.
 * PATH may hold NUL, which the host refuses with a message of its own.
 */
enum name_status name_resolve(struct arena *arena, struct span path,
    struct span cwd, struct span home, struct span *name,
    struct name_error *error);

/* NAME without ".", ".." and doubled slashes, all taken literally. */
struct span name_normalize(struct arena *arena, struct span name);

#endif
