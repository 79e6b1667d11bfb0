/*
 * still.h -- did what some work depends on keep still while it was done?
 *
 * To compare contents before and after is not enough: a file that was changed
 * and put back has the same content, and the work may have seen the other
 * one.  So both looks also note what the file system says on the way: of
 * files, links and directories that are read as a whole inode and times, of
 * which the time of change cannot be put back; and directories whose names
 * are asked for, or that are on the way, are watched (inotify), because the
 * work itself may well make others in them.
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
 * What cannot be seen: that a directory on the way was moved away and back and
 * something was made in it afterwards, if it is outside of the project or the
 * system has no watches left; and changes within one tick of the clock on a
 * kernel whose file times are that coarse (before 6.13).  Where a tick is a
 * second or two, what was changed that short before is no witness.
 */
#ifndef READCACHE_WORK_FINGERPRINT_STILL_H
#define READCACHE_WORK_FINGERPRINT_STILL_H

#include <sys/stat.h>

#include "base/arena.h"

struct still;

struct still *still_new(struct arena *arena);

/* The places that the work itself makes: they may come, go and change. */
void still_made(struct still *still, const struct span *places, size_t n);

enum still_pass { STILL_BEFORE, STILL_AFTER };

void still_look(struct still *still, enum still_pass pass);

/*
 * All that is noted from now on belongs to NAME.  Of this and all that
 * follows STILL may be NULL: nothing is noted.
 */
void still_subject(struct still *still, struct span name);

/* This very file was read, or this directory as a whole. */
void still_file(struct still *still, const struct stat *st);

/*
 * PATH, relative to the absolute DIR, was asked for: the links and the
 * directories on the way; where it ends, if nothing is there.
 */
void still_path(struct still *still, struct span dir, struct span path);

/* The same, where DIR is open. */
void still_path_at(struct still *still, int dir, const char *name);

/*
 * The names in the directory FD were compared with COMPONENT, of a pattern
 * ("**": any without a leading dot; "": any).
 */
void still_names(struct still *still, int fd, struct span component);

enum still_verdict {
	STILL_SAME,    /* both passes have met the same */
	STILL_CHANGED, /* *WHICH is another, came back, or nobody can tell */
	STILL_FRESH    /* *WHICH was changed so short before the first pass, on
			* a file system that keeps whole seconds only, that a
			* change since then may not show */
};

/* What is said of it after its name. */
#define STILL_FRESH_SAID                                                     \
	" was changed just before, on a file system that keeps whole seconds " \
	"only"

enum still_verdict still_judge(struct still *still, struct span *which);

/* NULL is allowed. */
void still_end(struct still *still);

#endif
