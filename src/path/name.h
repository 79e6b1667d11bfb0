/*
 * name.h -- from the path that the model wrote to an absolute name (SPEC 3).
 *
 * These functions are pure: they do not look at the file system.  Every step is
 * one that the host takes.
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
 * Resolve PATH against the absolute directory CWD.  HOME replaces a tilde.
 * PATH may contain NUL; the host refuses that with a message of its own.
 */
enum name_status name_resolve(struct arena *arena, struct span path,
    struct span cwd, struct span home, struct span *name,
    struct name_error *error);

/* DIR, a slash, and NAME. */
struct span name_in(struct arena *arena, struct span dir, struct span name);

/* What PATH names in DIR: PATH itself if it is absolute. */
struct span name_from(struct arena *arena, struct span dir, struct span path);

/*
 * NAME without "." and "..", and with single slashes.  Links are not looked at.
 */
struct span name_normalize(struct arena *arena, struct span name);

#endif
