/*
 * still.h -- did the inputs of some work change while it was done?
 *
 * Comparing contents before and after is not enough: a file that was changed
 * and changed back has the same content, but the work may have read the other
 * one.  So both passes also note what the file system says.  Of files, links
 * and directories that are read as a whole they note inode and times; the
 * change time cannot be set back.  Directories whose names are compared, or
 * that are on the way, are watched (inotify): their times do not help, because
 * the work itself may make other files in them.
 *
 *	still_look(still, STILL_BEFORE);
 *	hasher->still = still;          ... resolve everything ...
 *	hasher->still = NULL;           ... do the work ...
 *	still_look(still, STILL_AFTER);
 *	hasher->still = still;          ... resolve everything again ...
 *	hasher->still = NULL;
 *	if (still_judge(still, &which) != STILL_SAME)
 *		the result must not be kept
 *	still_end(still);
 *
 * What cannot be seen:
 * 1. A directory on the way was moved away and back, and something was made in
 *    it afterwards, if it is outside of the project or the system has no
 *    watches left.
 * 2. Changes within one tick of the clock, on a kernel whose file times are
 *    that coarse (before 6.13).  Where a tick is a second or two, a file that
 *    was changed just before is not trusted (STILL_FRESH).
 */
#ifndef READCACHE_WORK_FINGERPRINT_STILL_H
#define READCACHE_WORK_FINGERPRINT_STILL_H

#include <sys/stat.h>

#include "base/arena.h"

struct still;

struct still *still_new(struct arena *arena);

/* Name the places that the work itself makes: they may come, go and change. */
void still_made(struct still *still, const struct span *places, size_t n);

enum still_pass { STILL_BEFORE, STILL_AFTER };

/* Begin PASS: what is noted from now on belongs to it. */
void still_look(struct still *still, enum still_pass pass);

/*
 * All that is noted from now on belongs to NAME.  In this function and those
 * below STILL may be NULL: nothing is noted then.
 */
void still_subject(struct still *still, struct span name);

/* Note that this file was read, or this directory with all its names. */
void still_file(struct still *still, const struct stat *st);

/*
 * Note that PATH, relative to the absolute DIR, was asked for: the links and
 * directories on the way, and if nothing is there, where the path ends.
 */
void still_path(struct still *still, struct span dir, struct span path);

/*
 * Note that NAME was asked for in the open directory DIR, as still_path does.
 * False if that cannot be done, as the name of DIR is not known or too long.
 */
bool still_path_at(struct still *still, int dir, const char *name);

/*
 * Note that the names in the directory FD were compared with COMPONENT of a
 * pattern ("**": any name without a leading dot; "": any name).
 */
void still_names(struct still *still, int fd, struct span component);

enum still_verdict {
	STILL_SAME,    /* both passes met the same */
	STILL_CHANGED, /* *WHICH changed, perhaps back, or cannot be known */
	/*
	 * *WHICH was changed just before the first pass, on a file system that
	 * keeps whole seconds only: a later change may not show.
	 */
	STILL_FRESH
};

/* What is said about a STILL_FRESH subject, after its name. */
#define STILL_FRESH_SAID                                                     \
	" was changed just before, on a file system that keeps whole seconds " \
	"only"

/* Compare both passes, and what was watched between them. */
enum still_verdict still_judge(struct still *still, struct span *which);

/* End STILL, which may be NULL. */
void still_end(struct still *still);

#endif
