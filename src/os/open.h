/*
 * open.h -- ways of opening a file that POSIX.1-2008 does not have.
 *
 * Every descriptor is closed by exec.  On failure the result is -1, and errno
 * says why.
 */
#ifndef READCACHE_OS_OPEN_H
#define READCACHE_OS_OPEN_H

/*
 * Open the directory NAME, which is relative to ROOT.  It may go through links,
 * but not out of ROOT, even if something is moved meanwhile: EXDEV or ELOOP
 * says that it would.  Linux guarantees that (openat2 with RESOLVE_BENEATH).
 * The twin, and an older Linux, walk by open_by_steps: a name that goes through
 * a link is not opened.
 */
int open_beneath(int root, const char *name);

/* As open_beneath, one component after the other; no link is followed. */
int open_by_steps(int root, const char *name);

/*
 * Open NAME in DIR with FLAGS, to read; that is not to count as a use of the
 * file, so its access time stays (O_NOATIME).  With the twin it does not stay:
 * what is looked at then counts as used, and is kept longer.
 */
int open_unnoticed(int dir, const char *name, int flags);

/* Make a file of our own, NAME.  Its last six characters, "XXXXXX", are set. */
int open_temporary(char *name);

/*
 * A new file without a name, to write and read.  With the twin it has a name
 * in the directory for temporary files for a moment, and needs room there.
 */
int open_nameless(void);

#endif
