/*
 * fold.h -- patterns that do not tell capital letters from small ones.
 */
#ifndef READCACHE_OS_FOLD_H
#define READCACHE_OS_FOLD_H

#include <stdbool.h>

enum fold_what {
	FOLD_ALL,  /* GLOB matches all of TEXT */
	FOLD_ABOVE /* or all before one of its slashes: a directory above it */
};

/*
 * Does GLOB match TEXT, whatever its capitals?  It is fnmatch(3) without flags,
 * so "*" matches slashes, too.  The twin knows the capitals of ASCII, and of a
 * range such as [Z-a] only what is left when both ends are small.
 */
bool fold_match(const char *glob, const char *text, enum fold_what what);

#endif
