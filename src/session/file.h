/*
 * file.h -- a session file that is open.
 *
 * What is appended while it is open is not seen.
 */
#ifndef READCACHE_SESSION_FILE_H
#define READCACHE_SESSION_FILE_H

#include <sys/stat.h>

#include "session/reader.h"

struct session_file {
	struct arena *arena; /* it owns the descriptor */
	int fd;
	struct stat st;	    /* when it was opened */
	uint64_t first;	    /* offset of the first entry's line */
	struct span cwd;    /* the directory it was started in, or empty */
	struct span parent; /* the session file it was forked from, or empty */
};

/* Read the bytes at PLACE, into ARENA.  False if they are gone. */
bool session_file_at(const struct session_file *file, struct arena *arena,
    struct session_place place, struct span *bytes);

#endif
