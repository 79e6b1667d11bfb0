/*
 * pi.h -- what can be seen of pi and of our extension, without running it.
 */
#ifndef READCACHE_CLI_PI_H
#define READCACHE_CLI_PI_H

#include "base/arena.h"

/* An entry of pi's settings that means our extension. */
enum pi_listed {
	LISTED_NOT,
	LISTED_THERE,   /* a directory that holds it */
	LISTED_MISSING, /* a directory that does not */
	LISTED_REMOTE   /* a package that pi fetches */
};

/* One of pi's settings files. */
struct pi_settings {
	struct span file; /* empty: there is no place for it */
	bool unusable;    /* it is there, but is no JSON object */
	enum pi_listed listed;
	struct span source; /* as it stands there */
};

/* The first program NAME on PATH, an absolute path; empty if there is none. */
struct span pi_on_path(struct arena *arena, const char *name);

/* Can FILE be run? */
bool pi_can_run(const char *file);

/*
 * The extension that belongs to the executable EXE: installed with it, or in
 * the checkout it was built in.  Empty if there is none.
 */
struct span pi_extension_beside(struct arena *arena, struct span exe);

/* The user's settings, and those of the project CWD. */
struct pi_settings pi_user_settings(struct arena *arena, struct span home);
struct pi_settings pi_project_settings(struct arena *arena, struct span cwd,
    struct span home);

#endif
