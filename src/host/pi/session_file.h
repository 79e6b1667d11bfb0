/*
 * session_file.h -- pi's session file: a header, then one entry per line.
 */
#ifndef READCACHE_HOST_PI_SESSION_FILE_H
#define READCACHE_HOST_PI_SESSION_FILE_H

#include "json/json.h"
#include "session/file.h"

/* What a session's first line says. */
struct session_header {
	uint64_t version;
	struct span cwd;    /* the directory it was started in, or empty */
	struct span parent; /* the session file it was forked from, or empty */
};

/*
 * Read LINE, the first of a file that is JSON.  False if it is not a header: as
 * for pi, such a file has no entries.
 */
bool session_header(const struct json_doc *doc, struct span line,
    struct session_header *header);

/*
 * Open the regular file PATH.  ARENA owns its descriptor and bytes.  False if
 * it cannot be read, or if its first readable line is not a session header.
 */
bool session_file_open(
    struct arena *arena, struct span path, struct session_file *file);

#endif
