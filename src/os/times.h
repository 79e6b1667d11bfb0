/*
 * times.h -- the times of a file, in nanoseconds, under the names that this
 * system has for them.
 *
 * A file system may keep less than nanoseconds.  Whoever relies on times looks
 * for that (work/fingerprint/hash.c).
 */
#ifndef READCACHE_OS_TIMES_H
#define READCACHE_OS_TIMES_H

#include <sys/stat.h>

/* When the contents of the file ST changed last. */
static inline const struct timespec *
times_modified(const struct stat *st)
{
#ifdef __APPLE__
	return &st->st_mtimespec;
#else
	return &st->st_mtim;
#endif
}

/* When anything of the file ST changed last, its name included. */
static inline const struct timespec *
times_changed(const struct stat *st)
{
#ifdef __APPLE__
	return &st->st_ctimespec;
#else
	return &st->st_ctim;
#endif
}

#endif
