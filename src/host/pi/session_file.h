/*
 * session_file.h -- pi's session file: a header, then one entry per line.
 *
 * There are files of hundreds of megabytes, and what matters is mostly at their
 * end.  So lines are given from the last to the first, in memory that grows
 * with the longest line only.  What is appended while the file is open is not
 * seen.
 */
#ifndef READCACHE_HOST_PI_SESSION_FILE_H
#define READCACHE_HOST_PI_SESSION_FILE_H

#include <stdint.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "json/json.h"

/* Where a session comes from, according to its header. */
struct session_origin {
	struct span cwd;    /* the directory it was started in, or empty */
	struct span parent; /* the session file it was forked from, or empty */
};

/* Read HEADER, a line of DOC. */
struct session_origin session_origin(
    const struct json_doc *doc, struct span header);

/* The place of a line in the file. */
struct session_place {
	uint64_t offset;
	size_t size;
};

struct session_file {
	struct arena *arena;
	int fd;
	struct stat st; /* when it was opened */
	uint64_t first; /* offset of the first line after the header */
	struct session_origin origin;
	bool failed;    /* something could not be read, or a line is too long */
	char *p;        /* bytes from..to are read and not given out yet */
	size_t from, to;
	uint64_t at; /* offset of p[from] */
	char *own;   /* our own buffer; p may be in a piece read ahead */
	size_t own_room;
	struct ahead *ahead; /* reads the next pieces; or NULL */
	bool alone;          /* no thread could be started */
};

/*
 * Open the regular file PATH.  ARENA owns its descriptor and bytes.  False if
 * it cannot be read, or if its first readable line is not a session header: as
 * for pi, such a file has no entries.
 */
bool session_file_open(struct arena *arena, struct span path,
    struct session_file *file);

/*
 * No more lines are wanted.  Places that were given stay valid as long as the
 * file is open.
 */
void session_file_rest(struct session_file *file);

/*
 * The line before the one that was given last; at first the last line of the
 * file.  It has no blanks around it and is valid until the next call.  Blank
 * lines and the header are skipped.  False at the beginning, or if a read
 * failed.
 */
bool session_file_before(struct session_file *file, struct span *line,
    struct session_place *place);

/* Read the bytes at PLACE again, into ARENA.  False if they are gone. */
bool session_file_at(const struct session_file *file, struct arena *arena,
    struct session_place place, struct span *bytes);

#endif
