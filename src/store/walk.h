/*
 * walk.h -- going through one of the store's directories.
 *
 * Things come and go meanwhile: what is gone is passed over.  Links are never
 * followed.  While requests are served nothing may be allocated in an arena
 * between walk_begin and walk_end: its exhaustion would leave the directory
 * open.
 */
#ifndef READCACHE_STORE_WALK_H
#define READCACHE_STORE_WALK_H

#include <dirent.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/digest.h"

struct walk {
	DIR *dir; /* NULL: there is nothing to go through */
	int fd;
	bool partial; /* something that is there could not be seen */
};

/* One thing, valid until the next. */
struct walk_thing {
	const char *name;
	struct stat st; /* of the thing itself, if it is a link */
};

/*
 * Begin with the directory FD, which stays the caller's; -1 is allowed, and
 * errno is then why there is none: ENOENT says that nothing is missed.
 */
struct walk walk_begin(int fd);
void walk_end(struct walk *walk);

/* The next object, whatever stands under its name. */
bool walk_object(struct walk *walk, struct walk_thing *thing,
    struct digest *hash);

/* The next thing of any name, but for "." and "..". */
bool walk_any(struct walk *walk, struct walk_thing *thing);

/* The next file in tmp that some store_put has left there. */
bool walk_temp(struct walk *walk, struct walk_thing *thing);

/* How many names there are now, of whatever kind. */
uint64_t walk_count(int fd);

#endif
