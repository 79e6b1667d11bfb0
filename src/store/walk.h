/*
 * walk.h -- go through one of the store's directories.
 *
 * Entries come and go meanwhile; one that is gone is skipped.  Links are never
 * followed.  While requests are served, nothing may be allocated in an arena
 * between walk_begin and walk_end: if the arena is exhausted, the directory
 * would stay open.
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
	bool partial; /* something could not be seen */
};

/* One entry, valid until the next one is asked for. */
struct walk_thing {
	const char *name;
	struct stat st; /* a link is not followed */
};

/*
 * Begin with the directory FD, which stays the caller's.  FD may be -1: errno
 * must then say why, and ENOENT means that nothing is missed.
 */
struct walk walk_begin(int fd);

/* Close what walk_begin opened. */
void walk_end(struct walk *walk);

/* The next object, whatever kind of file has its name.  False at the end. */
bool walk_object(struct walk *walk, struct walk_thing *thing,
    struct digest *hash);

/* The next entry of any name except "." and "..".  False at the end. */
bool walk_any(struct walk *walk, struct walk_thing *thing);

/*
 * The next regular file in tmp/ with the name of a temporary file.  False at
 * the end.
 */
bool walk_temp(struct walk *walk, struct walk_thing *thing);

/* How many names, of whatever kind, are in FD now. */
uint64_t walk_count(int fd);

#endif
