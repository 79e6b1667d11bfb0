/*
 * session_file.h -- pi's session file: a header, then one entry per line.
 *
 * Files of hundreds of megabytes exist, and what matters is mostly at their
 * end: lines are given from the last to the first, in memory that grows with
 * the longest line only.  What is appended while the file is open is not
 * seen.
 */
#ifndef READCACHE_HOST_PI_SESSION_FILE_H
#define READCACHE_HOST_PI_SESSION_FILE_H

#include <stdint.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "json/json.h"

/* Where a session comes from, by its header. */
struct session_origin {
	struct span cwd;    /* the directory it was started in, or empty */
	struct span parent; /* the session file it was forked from, or empty */
};

/* HEADER: the line, of DOC. */
struct session_origin session_origin(
    const struct json_doc *doc, struct span header);

/* Where a line stands in the file. */
struct session_place {
	uint64_t offset;
	size_t size;
};

struct session_file {
	struct arena *arena;
	int fd;
	struct stat st; /* when it was opened */
	uint64_t first; /* offset of the line behind the header */
	struct session_origin origin;
	bool failed;    /* some of it could not be read, or a line is endless */
	char *p;        /* bytes from..to were read and not given out yet */
	size_t from, to;
	uint64_t at; /* offset of p[from] */
	char *own;   /* where they are, unless in a piece that was read ahead */
	size_t own_room;
	struct ahead *ahead; /* reads what comes next; or NULL */
	bool alone;          /* it was tried, and no thread can be had */
};

/*
 * Open the regular file PATH; its descriptor and bytes belong to ARENA.  As
 * for pi, a file whose first readable line is not a session header has no
 * entries: false, as for one that cannot be read.
 */
bool session_file_open(struct arena *arena, struct span path,
    struct session_file *file);

/* No more lines are wanted; their places stay good as long as the file. */
void session_file_rest(struct session_file *file);

/*
 * The line before the one that was given last, without blanks around it;
 * first the last line of the file.  It is valid until the next call.  Blank
 * lines and the header are not given.  False at the beginning, or when
 * reading failed.
 */
bool session_file_before(struct session_file *file, struct span *line,
    struct session_place *place);

/* The bytes at PLACE once more, in ARENA.  False if they are gone. */
bool session_file_at(const struct session_file *file, struct arena *arena,
    struct session_place place, struct span *bytes);

#endif
