/*
 * session_file.h -- pi's session file: a header, then one entry per line.
 */
#ifndef READCACHE_WIRE_SESSION_FILE_H
#define READCACHE_WIRE_SESSION_FILE_H

#include "base/arena.h"

/* The bytes of the regular file PATH.  False if there are none to be had. */
bool session_file_load(struct arena *arena, struct span path,
    struct span *bytes);

struct session_lines {
	const char *p, *end;
	bool has_header;
};

/*
 * Go through the lines behind the header.  As for pi, a file whose first
 * readable line is not a session header has no entries (has_header tells).
 */
struct session_lines session_lines(struct arena *arena, struct span bytes);
bool session_next_line(struct session_lines *lines, struct span *line);

/*
 * The last line that pi would take for an entry.  False if there is none, or
 * if it is not text that can be trusted.
 */
bool session_last_line(struct arena *arena, struct span bytes,
    struct span *line);

#endif
