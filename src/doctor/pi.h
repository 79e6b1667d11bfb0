/*
 * pi.h -- what can be found out about pi and our extension without running pi.
 */
#ifndef READCACHE_DOCTOR_PI_H
#define READCACHE_DOCTOR_PI_H

#include "base/arena.h"

/* Does pi's settings file have an entry for our extension? */
enum pi_listed {
	LISTED_NOT,
	LISTED_THERE,   /* a directory that holds it */
	LISTED_MISSING, /* a directory that does not */
	LISTED_REMOTE   /* a package that pi fetches */
};

/* One of pi's settings files. */
struct pi_settings {
	struct span file; /* empty: there is no place for it */
	bool unusable;    /* it exists, but is not a JSON object */
	enum pi_listed listed;
	struct span source; /* the entry, as it is written */
};

/*
 * The first program NAME on PATH, as an absolute path; empty if there is none.
 */
struct span pi_on_path(struct arena *arena, const char *name);

/* Can FILE be run? */
bool pi_can_run(const char *file);

/*
 * The extension that belongs to the executable EXE: installed with it, or in
 * the source tree it was built in.  Empty if there is none.
 */
struct span pi_extension_beside(struct arena *arena, struct span exe);

/* The user's settings, and those of the project CWD. */
struct pi_settings pi_user_settings(struct arena *arena, struct span home);
struct pi_settings pi_project_settings(struct arena *arena, struct span cwd,
    struct span home);

#endif
