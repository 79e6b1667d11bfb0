/*
 * match.h -- patterns of files that are not to be cached.
 *
 * Without a slash, a pattern is compared with the last component of a path:
 * "*.key".  With a slash, it is compared with the path below the current
 * directory: "secret/", "conf/prod*".  It then also matches everything below
 * what it matches.  "/x" is compared with the absolute path as well, "~/x" with
 * the path below the home directory.  Who asks knows where both directories are:
 * each may have two names.
 *
 * Case does not matter, and "*" matches slashes too: in doubt a file is
 * excluded.
 */
#ifndef READCACHE_CONFIG_MATCH_H
#define READCACHE_CONFIG_MATCH_H

#include "base/arena.h"

enum pattern_kind {
	PATTERN_NAME,     /* the last component */
	PATTERN_BELOW,    /* the path below cwd, from its slash on */
	PATTERN_ANYWHERE, /* that one, and the absolute path */
	PATTERN_HOME	  /* the path below the home directory */
};

struct pattern {
	struct span text; /* as it was written */
	enum pattern_kind kind;
	const char *glob;
};

/* Make a pattern from TEXT.  Without a HOME a leading tilde is a name. */
struct pattern pattern_make(
    struct arena *arena, struct span text, struct span home);

/*
 * Does PATTERN match the absolute PATH?  BELOW is the rest of PATH, from the
 * slash on, after the home directory if PATTERN is a PATTERN_HOME, else after
 * the current one; NULL if PATH is elsewhere.
 */
bool pattern_matches(const struct pattern *pattern, const char *path,
    const char *below);

#endif
