/*
 * snapshot.h -- one open, one read (T2).
 *
 * The bytes of a snapshot are what is hashed, shown, compared and stored.  The
 * file is not read again.
 */
#ifndef READCACHE_FILE_SNAPSHOT_H
#define READCACHE_FILE_SNAPSHOT_H

#include <stdint.h>

#include "base/arena.h"

#define SNAPSHOT_MAX ((size_t)256 * 1024 * 1024)

enum snapshot_status {
	SNAPSHOT_TEXT,
	SNAPSHOT_ERROR,   /* code and message are the host's */
	SNAPSHOT_DELEGATE /* the host's own read must decide; see reason */
};

struct snapshot {
	struct span bytes;   /* strict UTF-8 */
	uint64_t lines;      /* number of lines, as in lines.h */
	struct span key;     /* real path of what was opened, or empty */
	const char *code;    /* of an error */
	struct span message; /* of an error */
	const char *reason;  /* of a delegate */
};

/* Read the file NAME, which is absolute.  *SNAP is valid as long as ARENA. */
enum snapshot_status snapshot_take(struct arena *arena, struct span name,
    struct snapshot *snap);

#endif
