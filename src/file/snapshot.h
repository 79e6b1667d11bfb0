/*
 * snapshot.h -- one open, one read (T2).
 *
 * The bytes of a snapshot are the ones that are hashed, shown, compared and
 * stored: nobody reads the file again.
 */
#ifndef READCACHE_FILE_SNAPSHOT_H
#define READCACHE_FILE_SNAPSHOT_H

#include <stdint.h>

#include "base/arena.h"

#define SNAPSHOT_MAX ((size_t)256 * 1024 * 1024)

enum snapshot_status {
	SNAPSHOT_TEXT,
	SNAPSHOT_ERROR,   /* code and message as the host's */
	SNAPSHOT_DELEGATE /* reason: the host's own read must decide */
};

struct snapshot {
	struct span bytes;   /* strict UTF-8 */
	uint64_t lines;      /* of them, as in lines.h */
	struct span key;     /* real path of what was opened, or empty */
	const char *code;    /* of an error */
	struct span message; /* of an error */
	const char *reason;  /* of a delegate */
};

enum snapshot_status snapshot_take(struct arena *arena, struct span name,
    struct snapshot *snap);

#endif
