/*
 * reader.h -- the lines of a session file, from either end.
 *
 * There are files of hundreds of megabytes, and what a request wants is mostly
 * at their end; people's commands go through all of a file, from its beginning.
 * Both read it in pieces, in memory that grows with the longest line only.
 *
 * A line is given without the blanks around it, and is valid until the next
 * call.  Blank lines are skipped.  A reader goes one way: the one it was made
 * for.
 */
#ifndef READCACHE_SESSION_READER_H
#define READCACHE_SESSION_READER_H

#include <stdint.h>

#include "base/arena.h"

/* A longer line is not from pi. */
#define READER_LINE_MAX ((size_t)64 * 1024 * 1024)

/* Where a line is in the file. */
struct session_place {
	uint64_t offset;
	size_t size;
};

struct reader {
	struct arena *arena;
	int fd;
	uint64_t first, end; /* the part of the file that is read */
	bool failed; /* something could not be read, or a line is too long */
	char *p;     /* bytes from..to are read and not given out yet */
	size_t from, to, room;
	uint64_t at; /* offset of p[from] */

	/* Of the one from the start: */
	uint32_t number; /* of the line given last, from 1 */
	bool unfinished; /* the line given last has no LF */
	bool all;	 /* nothing is left to read */

	/* Of the one from the end: */
	char *own;	     /* our own buffer; p may be in a piece of ahead */
	struct ahead *ahead; /* reads the next pieces; or NULL */
	bool alone;	     /* no thread could be started */
};

#define READER_TO_END UINT64_MAX	  /* however long the file becomes */
#define READER_ROOM ((size_t)1024 * 1024) /* for who wants all of it */

/*
 * A reader of the bytes FIRST..END of FD, which the caller keeps open.  ROOM
 * bytes are read at a time, or more if a line is longer.
 */
struct reader reader_from_start(
    struct arena *arena, int fd, uint64_t first, uint64_t end, size_t room);

/* A reader of the bytes FIRST..END of FD that begins with the last line. */
struct reader reader_from_end(
    struct arena *arena, int fd, uint64_t first, uint64_t end);

/*
 * The next line.  One that is too long is skipped like a blank one: the rest of
 * the file can still be shown.  False at the end; reader->failed then says
 * whether a read failed.
 */
bool reader_next(
    struct reader *reader, struct span *line, struct session_place *place);

/*
 * The line before the one that was given last; at first the last one.  False at
 * the beginning, or if a read failed or a line is too long: what is above it
 * cannot be known.
 */
bool reader_previous(
    struct reader *reader, struct span *line, struct session_place *place);

/* No more lines are wanted from the reader's end. */
void reader_rest(struct reader *reader);

/* About how many lines the file has, to make room for them. */
uint64_t reader_count(struct arena *arena, int fd);

#endif
