/*
 * notice.h -- be told of names that come and go in directories (inotify).
 *
 * The twin can tell nothing: notice_open fails with ENOSYS.  Nor can macOS, in
 * which a directory does not say which names came and went.
 */
#ifndef READCACHE_OS_NOTICE_H
#define READCACHE_OS_NOTICE_H

#include <stdbool.h>
#include <stddef.h>

enum { NOTICE_ROOM = 16 * 1024 };

struct notice {
	int number;	  /* of the directory; -1: notices were lost */
	const char *name; /* "": the directory itself */
	bool moved;	  /* it went, or came by a move; else it was made */
	bool self;	  /* the directory itself went */
};

/* Notices that were read and not looked at yet. */
struct notices {
	int fd;
	size_t at, n;
	_Alignas(8) char room[NOTICE_ROOM];
};

/* A descriptor for notices, which is to be closed.  -1: errno says why. */
int notice_open(void);

/*
 * Begin to notice names in the directory DIR, and whether it goes itself.  The
 * result is the number of the directory; -1 if that is not possible.
 */
int notice_names(int fd, int dir);

/* The same for a directory by its name, and whether it goes itself only. */
int notice_self(int fd, const char *name);

/* Begin to look at the notices of FD. */
static inline void
notices_begin(struct notices *notices, int fd)
{
	notices->fd = fd;
	notices->at = notices->n = 0;
}

/*
 * The next notice.  1, or 0 if there is none, or -1 if that cannot be known.
 * Its name is valid until the next call.
 */
int notice_next(struct notices *notices, struct notice *notice);

#endif
