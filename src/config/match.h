/*
 * match.h -- patterns of files that are not to be cached.
 *
 * Without a slash a pattern is for the last component of a path: "*.key".
 * With one it is for the path below the current directory: "secret/" and
 * "conf/prod*"; it holds for all that lies below what it matches.  "/x" is
 * for the path from the root as well, "~/x" for the one below the home.
 * Letters match in either case, and "*" matches slashes too: in doubt a file
 * is excluded.
 */
#ifndef READCACHE_CONFIG_MATCH_H
#define READCACHE_CONFIG_MATCH_H

#include "base/arena.h"

enum pattern_kind {
	PATTERN_NAME,     /* the last component */
	PATTERN_BELOW,    /* the path below cwd, with the slash before it */
	PATTERN_ANYWHERE, /* that, and the absolute path */
	PATTERN_ABSOLUTE  /* the absolute path */
};

struct pattern {
	struct span text; /* as it was written */
	enum pattern_kind kind;
	const char *glob;
};

/* HOME is the place of a leading tilde. */
struct pattern pattern_make(struct arena *arena, struct span text,
    struct span home);

/*
 * Does PATTERN match the absolute PATH?  BELOW is what follows the current
 * directory in it, from the slash on; NULL if it lies elsewhere.
 */
bool pattern_matches(const struct pattern *pattern, const char *path,
    const char *below);

#endif
